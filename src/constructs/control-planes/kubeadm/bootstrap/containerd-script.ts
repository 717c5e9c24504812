/** Where containerd looks for the settings of registries, one folder for each. */
export const CERTS_DIRECTORY = '/etc/containerd/certs.d';

/**
 * Switches containerd's `config_path` on, in the section where containerd 1.x (configuration version 2) or 2.x (from 3) has it,
 * and leaves the rest of its configuration alone. Running it again changes nothing.
 *
 * Sources: containerd/containerd docs/hosts.md, docs/cri/registry.md; the section's new name was missed in the wild
 * (cozystack/cozystack, commit dbcd09a0f).
 */
export const REGISTRY_MIRRORS_SCRIPT = `#!/bin/sh
# Makes containerd read the registry settings in /etc/containerd/certs.d.
# Restarts it only if its configuration had to change.
set -eu

config=/etc/containerd/config.toml
hosts=/etc/containerd/certs.d

fail() {
  echo "registry mirrors: $1" >&2
  exit 1
}

# containerd 1.x and 2.x both read version 2.
if ! grep -qs '^[[:space:]]*[^#[:space:]]' "$config"; then
  mkdir -p /etc/containerd
  echo 'version = 2' >> "$config"
fi

version=$(sed -n 's/^[[:space:]]*version[[:space:]]*=[[:space:]]*\\([0-9][0-9]*\\).*/\\1/p' "$config" | head -n 1)
case "$version" in
  2) plugin=io.containerd.grpc.v1.cri ;;
  [3-9]) plugin=io.containerd.cri.v1.images ;;
  *) fail "$config has version '$version', expected 2 or later" ;;
esac

# containerd refuses these older settings beside config_path.
if grep -q '^[[:space:]]*\\[plugins\\..*registry\\.\\(mirrors\\.\\|configs\\..*\\.tls\\)' "$config"; then
  fail "$config has registry.mirrors or registry.configs with TLS settings; remove them from the image"
fi

wanted=$(awk -v plugin="$plugin" -v hosts="$hosts" '
  function section(line) {
    gsub(/[ \\t"\\047]/, "", line)
    sub(/\\].*/, "]", line)
    return line
  }
  function write(old) {
    if (old != "") old = ":" old
    print "  config_path = \\"" hosts old "\\""
    written = 1
  }
  /^[ \\t]*\\[/ {
    if (inside && !written) write("")
    inside = section($0) == "[plugins." plugin ".registry]"
  }
  inside && !written && /^[ \\t]*config_path[ \\t]*=/ {
    old = $0
    sub(/^[^=]*=[ \\t]*["\\047]/, "", old)
    sub(/["\\047].*$/, "", old)
    if (index(":" old ":", ":" hosts ":") == 0) {
      write(old)
      next
    }
    written = 1
  }
  { print }
  END {
    if (!written && !inside) print "\\n[plugins.\\"" plugin "\\".registry]"
    if (!written) write("")
  }
' "$config")

if [ "$wanted" != "$(cat "$config")" ]; then
  printf '%s\\n' "$wanted" > "$config"
  systemctl restart containerd
fi
`;
