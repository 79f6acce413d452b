/* slow_disk: an nbdkit plugin that behaves like one slow disk; tools/slow-disk compiles and starts it.
 *
 * model=spindle: one head. Requests are served one at a time. Each costs a seek, unless it continues where the last one
 * ended, plus its size over the transfer rate: seek = 1 ms + 2 (seek_ms - 1 ms) sqrt(distance / size of the disk). So a burst
 * of writeback delays every read behind it. Over random distances the mean of sqrt is 8/15, so the average seek is close to
 * seek_ms.
 *
 * model=volume: a network volume of a cloud. Requests are served in parallel, each after latency_ms at the earliest. Reads and
 * writes have one account of operations and one of bytes; up to 256 KiB are one operation. What an idle volume does not use it
 * saves: credits_s seconds of both limits, with which it starts. While credits last, it serves at burst times its limits.
 *
 * Parameters: image=FILE model=spindle|volume mbps=MIB_PER_SECOND
 *   spindle: seek_ms=AVERAGE_SEEK_MILLISECONDS
 *   volume:  iops=OPERATIONS_PER_SECOND latency_ms=MILLISECONDS credits_s=SECONDS burst=FACTOR
 */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NANOS_PER_SECOND 1e9
#define BYTES_PER_MEBIBYTE 1048576.0
#define BYTES_PER_OPERATION (256 * 1024)

/* A volume serves at most this much of its limits at once, whatever its credits. */
#define AT_ONCE_NANOS 10e6

static char *image;
static bool is_volume;
static double mbps = 100, seek_ms = 6, iops = 3000, latency_ms = 0.8, credits_s = 0.01, burst = 3;
static int fd = -1;
static int64_t size_bytes;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Guarded by lock. */
static uint64_t head_offset;
static double head_free_nanos; /* when the head is idle again */

/* When a limit has done all that it was asked for: a request may begin that much less its savings after now. */
static struct limit {
  double saved_nanos, speed, done_nanos; /* done_nanos is guarded by lock */
} steady_operations, steady_bytes, peak_operations, peak_bytes;

static double now_nanos(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

static void sleep_until(double nanos)
{
  struct timespec until = { .tv_sec = (time_t) (nanos / NANOS_PER_SECOND), .tv_nsec = (long) fmod(nanos, NANOS_PER_SECOND) };
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)) { }
}

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

static int slow_disk_config(const char *key, const char *value)
{
  if (!strcmp(key, "image")) return (image = nbdkit_realpath(value)) ? 0 : -1;
  if (!strcmp(key, "model") && !strcmp(value, "spindle")) return 0;
  if (!strcmp(key, "model") && !strcmp(value, "volume")) { is_volume = true; return 0; }
  if (!strcmp(key, "mbps")) return parse(key, value, &mbps);
  if (!strcmp(key, "seek_ms")) return parse(key, value, &seek_ms);
  if (!strcmp(key, "iops")) return parse(key, value, &iops);
  if (!strcmp(key, "latency_ms")) return parse(key, value, &latency_ms);
  if (!strcmp(key, "credits_s")) return parse(key, value, &credits_s);
  if (!strcmp(key, "burst")) return parse(key, value, &burst);
  nbdkit_error("unknown parameter: %s=%s", key, value);
  return -1;
}

static int slow_disk_get_ready(void)
{
  struct stat st;
  if (mbps <= 0 || seek_ms < 1 || iops <= 0 || latency_ms < 0 || credits_s < 0 || burst < 1) {
    nbdkit_error("mbps and iops must be above 0, seek_ms and burst at least 1, latency_ms and credits_s at least 0: "
                 "mbps=%g iops=%g seek_ms=%g burst=%g latency_ms=%g credits_s=%g",
                 mbps, iops, seek_ms, burst, latency_ms, credits_s);
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
  steady_operations = steady_bytes = (struct limit) { .saved_nanos = fmax(credits_s * NANOS_PER_SECOND, AT_ONCE_NANOS), .speed = 1 };
  peak_operations = peak_bytes = (struct limit) { .saved_nanos = AT_ONCE_NANOS, .speed = burst };
  return 0;
}

static void slow_disk_unload(void)
{
  if (fd >= 0) close(fd);
  free(image);
}

static void *slow_disk_open(int readonly)
{
  static int handle;
  (void) readonly;
  return &handle;
}

static int64_t slow_disk_get_size(void *handle)
{
  (void) handle;
  return size_bytes;
}

/* Written is written: the image is memory. */
static int slow_disk_flush(void *handle, uint32_t flags)
{
  (void) handle;
  (void) flags;
  return 0;
}

static int slow_disk_can_multi_conn(void *handle)
{
  (void) handle;
  return 1;
}

/* Takes the work from a limit, and returns the time at which it allows the request to end. */
static double take(struct limit *limit, double now, double nanos)
{
  limit->done_nanos = fmax(limit->done_nanos, now - limit->saved_nanos) + nanos / limit->speed;
  return limit->done_nanos;
}

/* Waits until the volume's limits allow the request. Others are served meanwhile. */
static void serve_by_volume(uint32_t count)
{
  double operation_nanos = ceil((double) count / BYTES_PER_OPERATION) / iops * NANOS_PER_SECOND;
  double byte_nanos = count / (mbps * BYTES_PER_MEBIBYTE) * NANOS_PER_SECOND;

  double began = now_nanos();
  double done = began;
  pthread_mutex_lock(&lock);
  done = fmax(done, take(&steady_operations, began, operation_nanos));
  done = fmax(done, take(&steady_bytes, began, byte_nanos));
  done = fmax(done, take(&peak_operations, began, operation_nanos));
  done = fmax(done, take(&peak_bytes, began, byte_nanos));
  pthread_mutex_unlock(&lock);
  sleep_until(fmax(done, began + latency_ms * 1e6));
}

/* Waits until the head has been there. A disk that was idle starts now; one that is behind starts when it is free. */
static void serve_by_head(uint64_t offset, uint32_t count)
{
  double nanos = count / (mbps * BYTES_PER_MEBIBYTE) * NANOS_PER_SECOND;

  pthread_mutex_lock(&lock); /* held while the head is busy: the next request waits for it */
  if (offset != head_offset) {
    double distance = fabs((double) offset - (double) head_offset) / size_bytes;
    nanos += (1.0 + 2.0 * (seek_ms - 1.0) * sqrt(distance)) * 1e6;
  }
  head_offset = offset + count;
  head_free_nanos = fmax(head_free_nanos, now_nanos()) + nanos;
  sleep_until(head_free_nanos);
  pthread_mutex_unlock(&lock);
}

static void serve(uint64_t offset, uint32_t count)
{
  if (is_volume) serve_by_volume(count);
  else serve_by_head(offset, count);
}

static int whole(ssize_t done, uint32_t count)
{
  if (done == (ssize_t) count) return 0;
  nbdkit_set_error(done < 0 ? errno : EIO);
  return -1;
}

static int slow_disk_pread(void *handle, void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
  (void) handle;
  (void) flags;
  serve(offset, count);
  return whole(pread(fd, buffer, count, offset), count);
}

static int slow_disk_pwrite(void *handle, const void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
  (void) handle;
  (void) flags;
  serve(offset, count);
  return whole(pwrite(fd, buffer, count, offset), count);
}

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
static struct nbdkit_plugin plugin = {
  .name = "slow-disk",
  .config = slow_disk_config,
  .get_ready = slow_disk_get_ready,
  .unload = slow_disk_unload,
  .open = slow_disk_open,
  .get_size = slow_disk_get_size,
  .can_multi_conn = slow_disk_can_multi_conn,
  .pread = slow_disk_pread,
  .pwrite = slow_disk_pwrite,
  .flush = slow_disk_flush,
};
NBDKIT_REGISTER_PLUGIN(plugin)
