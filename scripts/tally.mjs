// What a suite's end counts for.

const CLOSING = /^(\d+) passed, (\d+) failed$/

/** What a suite that prints its own closing line has counted; null for any other line. */
export function closingLine(line) {
  const found = CLOSING.exec(line)
  return found ? { passed: Number(found[1]), failed: Number(found[2]), skipped: 0 } : null
}

/**
 * Passed and failed of one suite. `counts`: what its report says, null where there is none, undefined for a suite that is one
 * check. A suite that ended badly without a failed test, that passed nothing, or that has no report, has failed; a test that
 * was skipped has not passed.
 */
export function tally(code, counts) {
  if (counts === undefined) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  if (counts === null) return { passed: 0, failed: 1 }
  const failed = counts.failed + counts.skipped
  const odd = failed === 0 && (code !== 0 || counts.passed === 0)
  return { passed: counts.passed, failed: odd ? 1 : failed }
}

/** The last line of all. */
export function closing(results) {
  const sum = (key) => results.reduce((total, one) => total + one[key], 0)
  return `${sum('passed')} passed, ${sum('failed')} failed`
}
