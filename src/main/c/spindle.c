/* spindle: an nbdkit plugin that behaves like one slow disk with one head; tools/slow-disk compiles and starts it.
 *
 * Requests are served one at a time. Each costs a seek, unless it continues where the last one ended, plus its size over the
 * transfer rate: seek = 1 ms + 2 (seek_ms - 1 ms) sqrt(distance / size of the disk). So a burst of writeback delays every
 * read behind it, which is what stalls readers on a real busy disk, and what a token bucket (cgroup io.max) does not show.
 * Over random distances the mean of sqrt is 8/15, so the average seek is close to seek_ms.
 *
 * Parameters: image=FILE mbps=MIB_PER_SECOND seek_ms=AVERAGE_SEEK_MILLISECONDS
 */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NANOS_PER_SECOND 1000000000L
#define BYTES_PER_MEBIBYTE 1048576.0

static char *image;
static double mbps = 100, seek_ms = 6;
static int fd = -1;
static int64_t size_bytes;

/* One request at a time (THREAD_MODEL), so nothing guards these. */
static uint64_t head_offset;
static struct timespec free_at; /* when the head is idle again */

static int parse(const char *key, const char *value, double *number)
{
  char *end;
  errno = 0;
  *number = strtod(value, &end);
  if (errno || end == value || *end || !isfinite(*number)) {
    nbdkit_error("%s must be a number: %s", key, value);
    return -1;
  }
  return 0;
}

static int spindle_config(const char *key, const char *value)
{
  if (!strcmp(key, "image")) return (image = nbdkit_realpath(value)) ? 0 : -1;
  if (!strcmp(key, "mbps")) return parse(key, value, &mbps);
  if (!strcmp(key, "seek_ms")) return parse(key, value, &seek_ms);
  nbdkit_error("unknown parameter: %s", key);
  return -1;
}

static int spindle_get_ready(void)
{
  struct stat st;
  if (mbps <= 0 || seek_ms < 1) {
    nbdkit_error("mbps must be above 0 and seek_ms at least 1: mbps=%g seek_ms=%g", mbps, seek_ms);
    return -1;
  }
  if (!image) {
    nbdkit_error("image is missing");
    return -1;
  }
  if ((fd = open(image, O_RDWR | O_CLOEXEC)) < 0 || fstat(fd, &st) < 0) {
    nbdkit_error("%s: %m", image);
    return -1;
  }
  size_bytes = st.st_size;
  clock_gettime(CLOCK_MONOTONIC, &free_at);
  return 0;
}

static void spindle_unload(void)
{
  if (fd >= 0) close(fd);
  free(image);
}

static void *spindle_open(int readonly)
{
  static int handle;
  (void) readonly;
  return &handle;
}

static int64_t spindle_get_size(void *handle)
{
  (void) handle;
  return size_bytes;
}

/* Written is written: the image is memory. */
static int spindle_flush(void *handle, uint32_t flags)
{
  (void) handle;
  (void) flags;
  return 0;
}

static int spindle_can_multi_conn(void *handle)
{
  (void) handle;
  return 1;
}

/* Waits until the head has been there. A disk that was idle starts now; one that is behind starts when it is free. */
static void serve(uint64_t offset, uint32_t count)
{
  double seconds = count / (mbps * BYTES_PER_MEBIBYTE);
  if (offset != head_offset) {
    double distance = fabs((double) offset - (double) head_offset) / size_bytes;
    seconds += (1.0 + 2.0 * (seek_ms - 1.0) * sqrt(distance)) / 1000.0;
  }
  head_offset = offset + count;

  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_sec > free_at.tv_sec || (now.tv_sec == free_at.tv_sec && now.tv_nsec > free_at.tv_nsec)) free_at = now;
  double done = free_at.tv_nsec + seconds * NANOS_PER_SECOND;
  free_at.tv_sec += (long) (done / NANOS_PER_SECOND);
  free_at.tv_nsec = (long) fmod(done, NANOS_PER_SECOND);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &free_at, NULL)) { }
}

static int whole(ssize_t done, uint32_t count)
{
  if (done == (ssize_t) count) return 0;
  nbdkit_set_error(done < 0 ? errno : EIO);
  return -1;
}

static int spindle_pread(void *handle, void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
  (void) handle;
  (void) flags;
  serve(offset, count);
  return whole(pread(fd, buffer, count, offset), count);
}

static int spindle_pwrite(void *handle, const void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
  (void) handle;
  (void) flags;
  serve(offset, count);
  return whole(pwrite(fd, buffer, count, offset), count);
}

#define THREAD_MODEL NBDKIT_THREAD_MODEL_SERIALIZE_ALL_REQUESTS
static struct nbdkit_plugin plugin = {
  .name = "spindle",
  .config = spindle_config,
  .get_ready = spindle_get_ready,
  .unload = spindle_unload,
  .open = spindle_open,
  .get_size = spindle_get_size,
  .can_multi_conn = spindle_can_multi_conn,
  .pread = spindle_pread,
  .pwrite = spindle_pwrite,
  .flush = spindle_flush,
};
NBDKIT_REGISTER_PLUGIN(plugin)
