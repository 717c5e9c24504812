import { ManifestObject } from '../../objects/manifest-object';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { stepFault } from '../../rules/components';
import { changedText } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { Setting } from '../../rules/tenant-charts';
import { sameValue } from '../../values/fields';
import { Finding } from '../../values/finding';
import { InstalledPodNetwork, podNetworkKinds, podNetworksIn } from '../pod-networks';

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: cilium
  namespace: kube-system
spec:
  interval: 1h
  install:
    remediation: {retries: -1}
  chart:
    spec:
      chart: cilium
      version: 1.19.4
      sourceRef: {kind: HelmRepository, name: cilium}
  values:
    kubeProxyReplacement: true
    ipam: {mode: kubernetes}
    tunnelProtocol: vxlan
`;

const PATCH = { '1.19.4': '1.19.5' };

/** A pod network before and now. */
interface ChangedNetwork {
  readonly before: InstalledPodNetwork;
  readonly after: InstalledPodNetwork;
}

function networkChange(
  { faultsOf, ...rule }: Omit<TransitionRule, 'kinds' | 'check' | 'source' | 'example'> & Pick<TransitionRule, 'source' | 'example'>
    & { readonly faultsOf: (change: ChangedNetwork) => readonly Finding[] },
): TransitionRule {
  return {
    ...rule,
    get kinds() { return podNetworkKinds(); },
    check: ({ before, after, old, now }) => {
      const found = before && after ? pairs(before, after, old, now).flatMap(faultsOf) : [];
      return found.length < 2 ? found : [...new Map(found.map((finding) => [JSON.stringify(finding), finding])).values()];
    },
  };
}

/** The networks that an object installs before and now, in the same cluster. */
function pairs(before: ManifestObject, after: ManifestObject, old: ManifestIndex, now: ManifestIndex): ChangedNetwork[] {
  const later = podNetworksIn(after, now);
  return podNetworksIn(before, old).flatMap((network) => {
    const same = later.find(({ facts, tenant }) => (
      facts === network.facts && tenant?.name === network.tenant?.name && tenant?.namespace === network.tenant?.namespace));
    return same ? [{ before: network, after: same }] : [];
  });
}

/** Path of a setting that changes, and both values; undefined where it stays, or one of them is not known. */
function changed<T>(before: Setting<T> | undefined, after: Setting<T> | undefined): { readonly path: Setting<T>['path']; readonly was: T; readonly is: T } | undefined {
  return before && after && !sameValue(before.value, after.value) ? { path: after.path, was: before.value, is: after.value } : undefined;
}

const STEP: TransitionRule = networkChange({
  id: 'TC-CHANGE-CNI-STEP',
  title: 'A pod network must move by as many minor releases at a time as its project supports, up and down: nodes of both releases must understand each other meanwhile.',
  source: 'docs.cilium.io, "Upgrade Guide" (only between consecutive minor releases, there and back)',
  trap: true,
  example: changedText(RELEASE_TEXT, { '1.19.4': '1.17.9' }, PATCH),
  faultsOf: ({ before: { version: from }, after: { facts: { title, steps }, version: to } }) => {
    const fault = from !== undefined && to !== undefined && steps ? stepFault(title, { from, to }, steps) : undefined;
    return fault ? [{ path: ['spec'], ...fault }] : [];
  },
});

const ADDRESSES: TransitionRule = networkChange({
  id: 'TC-CHANGE-CNI-ADDRESSES',
  title: 'The way in which pods get addresses must stay in a living cluster: pods keep addresses that the pod network does not know any more.',
  source: 'docs.cilium.io, "IP Address Management" (the mode of an existing cluster), "Cluster Scope" (elements can be added to the list); docs.tigera.io/calico, "Migrate from one IP pool to another"',
  trap: true,
  example: changedText(RELEASE_TEXT, { 'mode: kubernetes': 'mode: cluster-pool' }, PATCH),
  faultsOf: ({ before: { settings: was }, after: { settings: is, facts: { title } } }) => {
    const mode = changed(was.addressing, is.addressing);
    const fix = 'keep it; new ways and ranges need a new cluster, or the migration that the project describes';
    if (mode) return [{ path: mode.path, message: `${title} gives pods addresses by "${mode.is}", and did so by "${mode.was}": pods that run lose their connections`, fix }];
    const gone = (was.pools?.value ?? []).filter((pool) => !is.pools?.value.includes(pool));
    const lengths = Object.entries(is.nodePrefixLengths ?? {}).flatMap(([family, length]) => {
      const resized = changed(was.nodePrefixLengths?.[family], length);
      return resized && (is.pools?.value.length ?? 0) > 0 ? [resized] : [];
    });
    return [
      ...is.pools && gone.length > 0 ? [{ path: is.pools.path, message: `${title} gives pods no addresses of ${gone.join(' and ')} any more, and pods that run have some`, fix: `${fix}; further ranges can be added behind it` }] : [],
      ...lengths.map((resized) => ({ path: resized.path, message: `${title} gives nodes ranges of /${resized.is}, and the existing ones are /${resized.was}`, fix })),
    ];
  },
});

const TUNNEL: TransitionRule = networkChange({
  id: 'TC-CHANGE-CNI-TUNNEL',
  title: 'Tunnels of a living cluster should keep their protocol and port: until all nodes have changed, pods of one half do not reach those of the other.',
  source: 'docs.cilium.io, "Routing"; cilium/cilium Documentation/operations/upgrade.rst',
  warning: true,
  example: changedText(RELEASE_TEXT, { 'tunnelProtocol: vxlan': 'tunnelProtocol: geneve' }, PATCH),
  faultsOf: ({ before, after }) => {
    const tunnel = changed(before.settings.tunnel, after.settings.tunnel);
    return tunnel ? [{
      path: tunnel.path,
      message: `tunnels of ${after.facts.title} change from ${tunnel.was.protocol} at port ${tunnel.was.port} to ${tunnel.is.protocol} at port ${tunnel.is.port}: nodes do not reach each other's pods until all of them have changed`,
      fix: 'keep it, or change it when workloads may be interrupted',
    }] : [];
  },
});

const PROXY: TransitionRule = networkChange({
  id: 'TC-CHANGE-CNI-SERVICE-PROXY',
  title: 'What forwards Services should stay in a living cluster: open connections are lost, and for a time both or nothing forwards them.',
  source: 'docs.cilium.io, "Kubernetes Without kube-proxy"',
  warning: true,
  example: changedText(RELEASE_TEXT, { 'kubeProxyReplacement: true': 'kubeProxyReplacement: false' }, PATCH),
  faultsOf: ({ before, after }) => {
    const proxy = changed(before.settings.replacesKubeProxy, after.settings.replacesKubeProxy);
    return proxy ? [{
      path: proxy.path,
      message: `${after.facts.title} ${proxy.is ? 'replaces kube-proxy now' : 'does not replace kube-proxy any more'}: connections by Services that are open are lost`,
      fix: 'keep it, or change it together with kube-proxy when workloads may be interrupted, and restart the nodes one after the other',
    }] : [];
  },
});

/** Rules for changes of pod networks, in tenants and in the management cluster. */
export const POD_NETWORK_CHANGES: readonly TransitionRule[] = [STEP, ADDRESSES, TUNNEL, PROXY];
