import { ValueRule } from '../../../rules/components';
import { changedText } from '../../../rules/example-text';
import { fieldAt, stringAt } from '../../../values/fields';
import { parseQuantity } from '../../../values/quantity';

const VALUES_SOURCE = 'clastix/kamaji-etcd charts/kamaji-etcd/values.yaml, v0.17.0';

/** Default of the chart. */
const QUOTA = '8589934592';

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: etcd-tenants
  namespace: flux-system
spec:
  interval: 10m0s
  chart:
    spec:
      chart: kamaji-etcd
      version: 0.17.0
      sourceRef:
        kind: HelmRepository
        name: clastix
  values:
    datastore:
      enabled: true
      name: tenants
    quotaBackendBytes: "8589934592"
`;

const GIVEN_UP: ValueRule = {
  id: 'TC-CHANGE-ETCD-DATA-STORE',
  title: 'A release of kamaji-etcd must not give up its DataStore unless Helm keeps it: a deleted DataStore stays Terminating while control planes use it.',
  source: `${VALUES_SOURCE}; clastix/kamaji controllers/datastore_controller.go (DataStoreTCPFinalizer), 26.8.2-edge`,
  warning: true,
  example: changedText(RELEASE_TEXT, { 'enabled: true': 'enabled: false' }, { 'quotaBackendBytes: "8589934592"': 'quotaBackendBytes: "8589934592"\n    snapshotCount: "5000"' }),
  faultsOf: (former, later) => {
    if (fieldAt(former, 'datastore', 'enabled') === false || fieldAt(later, 'datastore', 'enabled') !== false) return [];
    if (stringAt(former, 'datastore', 'annotations', 'helm.sh/resource-policy') === 'keep') return [];
    // Without a name the chart uses that of the release.
    const name = stringAt(former, 'datastore', 'name') ?? stringAt(former, 'fullnameOverride') ?? 'NAME';
    return [{
      path: ['datastore', 'enabled'],
      message: `the release made the DataStore "${name}", and Helm deletes it now`,
      fix: `before the merge, keep it by "kubectl annotate datastore ${name} helm.sh/resource-policy=keep"; then silence this`,
    }];
  },
};

const QUOTA_LOWERED: ValueRule = {
  id: 'TC-CHANGE-ETCD-QUOTA',
  title: 'The quota of an etcd should not be lowered below the size of its database: all tenants become read-only at once.',
  source: `${VALUES_SOURCE}; etcd.io/docs/v3.6/op-guide/maintenance (space quota)`,
  warning: true,
  example: changedText(RELEASE_TEXT, { 8589934592: '4294967296' }, { '    datastore:': '    snapshotCount: "5000"\n    datastore:' }),
  faultsOf: (former, later) => {
    const [from, to] = [former, later].map((values) => fieldAt(values, 'quotaBackendBytes') ?? QUOTA);
    const [before, after] = [from, to].map((quota) => (typeof quota === 'string' || typeof quota === 'number' ? parseQuantity(`${quota}`) : undefined));
    // 0 is etcd's own default, 2 GiB.
    return before === undefined || after === undefined || before === 0n || after >= before ? [] : [{
      path: ['quotaBackendBytes'],
      message: `the quota falls from ${from} to ${to} bytes`,
      fix: 'put it back, or look at the size of the database on all members first, defragment it, and silence this',
    }];
  },
};

/** Values of the chart of a DataStore's etcd. */
export const ETCD_CHANGES: readonly ValueRule[] = [GIVEN_UP, QUOTA_LOWERED];
