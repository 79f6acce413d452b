package io.weir.why;

/**
 * A share of time as looks found it, and whether another is more than chance away.
 *
 * <p>Two things make a share uncertain. Looks fall at moments: of a share {@code p} that has a
 * variance of {@code p (1 - p) / looks}. And what is looked at comes and goes: a state that begins
 * {@code runs} times, and lasts without a memory, has one of {@code 2 p² (1 - p)² / runs}, however
 * often one looks. Two shares differ if they are further apart than {@value #ERRORS} standard
 * errors of two shares that are the same; so {@code p} and how often a run begins are taken of both
 * together, with the correction of Yates for few looks.
 *
 * @param share from 0 to 1
 * @param looks that fell at moments of their own
 * @param runs how often the state began; infinite for what is counted, or comes once with each look
 */
record ShareOfTime(double share, double looks, double runs) {

  /** A larger difference is chance in at most one comparison of 20. */
  private static final double ERRORS = 2;

  /** What two of them say of a change. */
  enum Change {
    LESS,
    MORE,
    /** No more than two such looks differ by chance. */
    WITHIN_CHANCE
  }

  /** Refuses what is no share. */
  ShareOfTime {
    if (!(share >= 0 && share <= 1 && looks >= 0 && runs >= 0)) {
      throw new IllegalArgumentException(
          "a share must be from 0 to 1, of looks and runs: %s of %s and %s"
              .formatted(share, looks, runs));
    }
  }

  /** Whether {@code now} is more or less than this. */
  Change to(ShareOfTime now) {
    double all = looks + now.looks;
    if (looks == 0 || now.looks == 0) {
      return Change.WITHIN_CHANCE;
    }
    double together = (share * looks + now.share * now.looks) / all;
    double both = together * (1 - together);
    double looksInARun = all / Math.max(1, runs + now.runs);
    double perLook = 1 / looks + 1 / now.looks;
    double error = Math.sqrt(perLook * (both + 2 * both * both * looksInARun));
    double difference = now.share - share;
    if (Math.abs(difference) - perLook / 2 <= ERRORS * error) {
      return Change.WITHIN_CHANCE;
    }
    return difference < 0 ? Change.LESS : Change.MORE;
  }
}
