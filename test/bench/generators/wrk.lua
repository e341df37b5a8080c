-- Prints what wrk counted as the last line, in the form of "Counts" in generator.ts.
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format(
    '{"perSecond":%.1f,"p99":%.3f,"requests":%d,"bytes":%d,"failures":%d}',
    summary.requests / (summary.duration / 1e6),
    latency:percentile(99) / 1e3,
    summary.requests, summary.bytes, failures
  ))
end
