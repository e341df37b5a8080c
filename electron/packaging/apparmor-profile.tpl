abi <abi/4.0>,
include <tunables/global>

# Chromium's sandbox needs user namespaces; the command itself, a launcher, does not.
profile "${executable}" "/opt/${sanitizedProductName}/${executable}-window" flags=(unconfined) {
  userns,

  include if exists <local/${executable}>
}
