package io.weir.store.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrnoExceptionTest {

  /** By the numbers of {@code asm-generic/errno.h}, so that a wrong constant is seen. */
  @ParameterizedTest
  @CsvSource({
    "1,   EPERM,      false",
    "4,   EINTR,      false",
    "5,   EIO,        true",
    "6,   ENXIO,      true",
    "9,   EBADF,      false",
    "11,  EAGAIN,     false",
    "12,  ENOMEM,     false",
    "13,  EACCES,     true",
    "16,  errno 16,   false",
    "19,  ENODEV,     true",
    "22,  EINVAL,     false",
    "24,  EMFILE,     false",
    "27,  EFBIG,      true",
    "28,  ENOSPC,     true",
    "29,  ESPIPE,     false",
    "30,  EROFS,      true",
    "38,  ENOSYS,     false",
    "52,  EBADE,      true",
    "61,  ENODATA,    true",
    "62,  ETIME,      true",
    "67,  ENOLINK,    true",
    "84,  EILSEQ,     true",
    "95,  EOPNOTSUPP, true",
    "107, ENOTCONN,   true",
    "108, ESHUTDOWN,  true",
    "110, ETIMEDOUT,  true",
    "116, ESTALE,     true",
    "117, EUCLEAN,    true",
    "121, EREMOTEIO,  true",
    "122, EDQUOT,     true",
    "512, errno 512,  false",
  })
  void isDataError_ofEachNumber_isAsTheTableSays(int errno, String name, boolean dataError) {
    ErrnoException failure = new ErrnoException("sync_file_range", errno);
    assertEquals(dataError, failure.isDataError());
    assertEquals("sync_file_range failed: " + name, failure.getMessage().split(",")[0]);
  }
}
