/**
 * The Kubernetes minor releases whose flags, feature gates and kubelet configuration fields the library knows, oldest first.
 *
 * A copy of the head of the generated tables, so that asking for it does not load them.
 */
export const SUPPORTED_MINORS: readonly string[] = ['1.33', '1.34', '1.35', '1.36'];
