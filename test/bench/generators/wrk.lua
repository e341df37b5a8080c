-- Prints the counts of wrk as the last line, in the form of "Counts" in load.ts.
function done(summary)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format(
    '{"perSecond":%.1f,"requests":%d,"bytes":%d,"failures":%d}',
    summary.requests / (summary.duration / 1e6),
    summary.requests, summary.bytes, failures
  ))
end
