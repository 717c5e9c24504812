import { namedControlPlane } from './rules/examples';
import { KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from './rules/kamaji-objects';
import { TenantKubernetes } from '../../rules/components';
import { replaced } from '../../rules/example-text';
import { KAMAJI } from '../../values/versions';

/** Tags of both forms: `edge-26.2.4` until February 2026, and `26.8.2-edge` since. */
const TAG = /^(?:edge-(\d{2})\.(\d{1,2})\.(\d{1,3})|(\d{2})\.(\d{1,2})\.(\d{1,3})-edge)$/;

/** Year, month and number of a release. */
export type Release = readonly number[];

/** Reads a release; undefined if a text is none. */
export function releaseOf(version: string): Release | undefined {
  return TAG.exec(version)?.slice(1).filter((part) => part !== undefined).map(Number);
}

/** True if one release is older than another. */
export function isBefore(one: Release, other: Release): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && one[at] < other[at];
}

const KAMAJI_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: kamaji
  namespace: kamaji-system
spec:
  interval: 1h
  install:
    remediation: {retries: -1}
  chart:
    spec:
      chart: kamaji
      version: 26.8.2-edge
      sourceRef: {kind: HelmRepository, name: kamaji}
  values:
    image: {tag: 26.4.1-edge}
`;

/** Releases of Kubernetes that releases of Kamaji run: each refuses what is newer than the libraries of kubeadm that it is built with. */
export const KAMAJI_TENANTS: TenantKubernetes = {
  releases: [{ since: '26.5.3-edge', newest: 36 }, { since: 'edge-25.12.4', newest: 35 }],
  compare: (one, other) => {
    const [first, second] = [one, other].map(releaseOf);
    if (!first || !second) return undefined;
    return Number(isBefore(second, first)) - Number(isBefore(first, second));
  },
  lastRead: KAMAJI.version,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  rule: {
    id: 'TC-TRAP-KAMAJI-KUBERNETES',
    title: 'The Kubernetes of a control plane must not be newer than what the release of Kamaji in the management cluster runs: Kamaji refuses it.',
    source: 'clastix/kamaji internal/upgrade/kubeadm_version.go of the tags, internal/webhook/handlers/tcp_version.go',
    example: replaced(namedControlPlane(''), 'v1.35.4', 'v1.36.3', KAMAJI_TEXT),
  },
};
