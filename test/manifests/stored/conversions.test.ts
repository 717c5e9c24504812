import { differences, object } from './written-objects';
import { storedObject } from '../../../src/manifests/stored/stored-objects';

const MACHINE = `clusterName: acme
version: 1.34.1
nodeDrainTimeout: 5m
nodeVolumeDetachTimeout: 1m30s
nodeDeletionTimeout: 10s
bootstrap:
  configRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfigTemplate, name: a, namespace: t}
infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerMachineTemplate, name: a}`;

const NEW_MACHINE = `clusterName: acme
version: v1.34.1
deletion: {nodeDrainTimeoutSeconds: 300, nodeVolumeDetachTimeoutSeconds: 90, nodeDeletionTimeoutSeconds: 10}
bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: a}}
infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachineTemplate, name: a}`;

const indented = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

const STRATEGY = `strategy:
  type: RollingUpdate
  rollingUpdate: {maxSurge: 2, maxUnavailable: 0, deletePolicy: Oldest}
  remediation: {maxInFlight: 1}`;

const CHECKS = `maxUnhealthy: 40%
unhealthyRange: "[1-3]"
nodeStartupTimeout: 20m
unhealthyConditions: [{type: Ready, status: Unknown, timeout: 300s}]
unhealthyMachineConditions: [{type: Owned, status: "False", timeout: 1h}]`;

const NEW_CHECKS = `checks:
  nodeStartupTimeoutSeconds: 1200
  unhealthyNodeConditions: [{type: Ready, status: Unknown, timeoutSeconds: 300}]
  unhealthyMachineConditions: [{type: Owned, status: "False", timeoutSeconds: 3600}]
remediation:
  triggerIf: {unhealthyLessThanOrEqualTo: 40%, unhealthyInRange: "[1-3]"}`;

const CONFIGURATION = `format: cloud-config
useExperimentalRetryJoin: true
clusterConfiguration:
  apiVersion: kubeadm.k8s.io/v1beta3
  kind: ClusterConfiguration
  clusterName: acme
  networking: {podSubnet: 10.0.0.0/16}
  apiServer:
    timeoutForControlPlane: 20m
    extraArgs: {v: "2", audit-log-path: /var/log/audit}
    extraVolumes: [{name: a, hostPath: /a, mountPath: /a, readOnly: false}]
  controllerManager: {extraArgs: {cloud-provider: external}}
  scheduler: {extraArgs: {v: "1"}}
  etcd: {local: {extraArgs: {quota-backend-bytes: "8"}}}
initConfiguration:
  bootstrapTokens: [{token: abcdef.0123456789abcdef, ttl: 1h}]
  nodeRegistration: {kubeletExtraArgs: {cloud-provider: external}, taints: []}
joinConfiguration:
  discovery: {timeout: 5m, bootstrapToken: {apiServerEndpoint: a, unsafeSkipCAVerification: false}}
  nodeRegistration: {kubeletExtraArgs: {cloud-provider: external}}
files: [{path: /a, content: b, append: false}]
preKubeadmCommands: []`;

const NEW_CONFIGURATION = `clusterConfiguration:
  apiServer:
    extraArgs: [{name: audit-log-path, value: /var/log/audit}, {name: v, value: "2"}]
    extraVolumes: [{name: a, hostPath: /a, mountPath: /a}]
  controllerManager: {extraArgs: [{name: cloud-provider, value: external}]}
  scheduler: {extraArgs: [{name: v, value: "1"}]}
  etcd: {local: {extraArgs: [{name: quota-backend-bytes, value: "8"}]}}
initConfiguration:
  bootstrapTokens: [{token: abcdef.0123456789abcdef, ttlSeconds: 3600}]
  nodeRegistration: {kubeletExtraArgs: [{name: cloud-provider, value: external}], taints: []}
  timeouts: {controlPlaneComponentHealthCheckSeconds: 1200}
joinConfiguration:
  discovery: {bootstrapToken: {apiServerEndpoint: a}}
  nodeRegistration: {kubeletExtraArgs: [{name: cloud-provider, value: external}]}
  timeouts: {controlPlaneComponentHealthCheckSeconds: 1200, tlsBootstrapSeconds: 300}
files: [{path: /a, content: b}]`;

/** Of a template of a pool, and of a KubeadmConfig, `format` is no default. */
const FORMAT = 'format: cloud-config\n';

const CONTROL_PLANE = `kubeadmConfigSpec:
${indented(CONFIGURATION, 2)}
rolloutAfter: 2026-01-01T00:00:00Z
rolloutBefore: {certificatesExpiryDays: 21}
rolloutStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0}}
remediationStrategy: {maxRetry: 3, retryPeriod: 5m, minHealthyPeriod: 2h}
machineNamingStrategy: {template: a}
machineTemplate:
  metadata: {labels: {a: b}}
  nodeDrainTimeout: 5m`;

const NEW_CONTROL_PLANE = `kubeadmConfigSpec:
${indented(NEW_CONFIGURATION, 2)}
rollout:
  after: 2026-01-01T00:00:00Z
  before: {certificatesExpiryDays: 21}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0}}
remediation: {maxRetry: 3, retryPeriodSeconds: 300, minHealthyPeriodSeconds: 7200}
machineNaming: {template: a}
machineTemplate:
  metadata: {labels: {a: b}}
  spec:
    deletion: {nodeDrainTimeoutSeconds: 300}`;

const REFERENCE = '{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerMachineTemplate, name: a, namespace: t}';
const TEMPLATE = '{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerMachineTemplate, name: a}';
const CORE = ['cluster.x-k8s.io/v1beta1', 'cluster.x-k8s.io/v1beta2'] as const;
const ADDONS = ['addons.cluster.x-k8s.io/v1beta1', 'addons.cluster.x-k8s.io/v1beta2'] as const;
const BOOTSTRAP = ['bootstrap.cluster.x-k8s.io/v1beta1', 'bootstrap.cluster.x-k8s.io/v1beta2'] as const;
const CONTROL_PLANES = ['controlplane.cluster.x-k8s.io/v1beta1', 'controlplane.cluster.x-k8s.io/v1beta2'] as const;
const IPAM = ['ipam.cluster.x-k8s.io/v1beta1', 'ipam.cluster.x-k8s.io/v1beta2'] as const;

/** A part of a topology or a class in the older version, and in the newer one. */
const PART = `nodeDrainTimeout: 5m
machineHealthCheck:
${indented(CHECKS, 2)}`;
const NEW_PART = `deletion: {nodeDrainTimeoutSeconds: 300}
healthCheck:
${indented(NEW_CHECKS, 2)}`;

/** Spellings of the same: the kind, its versions, what the older one has, what the newer one has. */
const SAME: readonly (readonly [kind: string, versions: readonly [string, string], old: string, now: string])[] = [
  ['Cluster', CORE, `paused: false
clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/16]}}
controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: a, namespace: t}
infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1alpha7, kind: OpenStackCluster, name: a}`, `clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/16]}}
controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: a}
infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: a}`],
  ['Cluster', CORE, `topology:
  class: small
  classNamespace: classes
  version: 1.34.1
  rolloutAfter: 2026-01-01T00:00:00Z
  variables: [{name: a, value: {}, definitionFrom: inline}]
  controlPlane:
    replicas: 3
${indented(PART, 4)}
      enable: true
  workers:
    machineDeployments:
      - name: a
        class: b
${indented(PART, 8)}
${indented(STRATEGY, 8)}
    machinePools: [{name: c, class: d, nodeDrainTimeout: 5m}]`, `topology:
  classRef: {name: small, namespace: classes}
  version: v1.34.1
  variables: [{name: a, value: {}}]
  controlPlane:
    replicas: 3
${indented(NEW_PART, 4)}
      enabled: true
  workers:
    machineDeployments:
      - name: a
        class: b
        deletion: {nodeDrainTimeoutSeconds: 300, order: Oldest}
        rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}}
        healthCheck:
${indented(NEW_CHECKS, 10)}
            maxInFlight: 1
    machinePools: [{name: c, class: d, deletion: {nodeDrainTimeoutSeconds: 300}}]`],
  ['ClusterClass', CORE, `infrastructure: {ref: ${REFERENCE}}
infrastructureNamingStrategy: {template: a}
controlPlane:
  ref: ${REFERENCE}
  machineInfrastructure: {ref: ${REFERENCE}}
  namingStrategy: {template: b}
${indented(PART, 2)}
workers:
  machineDeployments:
    - class: a
      namingStrategy: {template: c}
      template: {metadata: {labels: {a: b}}, bootstrap: {ref: ${REFERENCE}}, infrastructure: {ref: ${REFERENCE}}}
${indented(PART, 6)}
  machinePools:
    - class: b
      template: {bootstrap: {ref: ${REFERENCE}}, infrastructure: {ref: ${REFERENCE}}}
patches: [{name: a, external: {generateExtension: b, validateExtension: c}}]
variables: [{name: a, required: true, metadata: {labels: {a: b}}, schema: {openAPIV3Schema: {type: object, default: {}}}}]`, `infrastructure: {templateRef: ${TEMPLATE}, naming: {template: a}}
controlPlane:
  templateRef: ${TEMPLATE}
  machineInfrastructure: {templateRef: ${TEMPLATE}}
  naming: {template: b}
${indented(NEW_PART, 2)}
workers:
  machineDeployments:
    - class: a
      naming: {template: c}
      metadata: {labels: {a: b}}
      bootstrap: {templateRef: ${TEMPLATE}}
      infrastructure: {templateRef: ${TEMPLATE}}
${indented(NEW_PART, 6)}
  machinePools:
    - class: b
      bootstrap: {templateRef: ${TEMPLATE}}
      infrastructure: {templateRef: ${TEMPLATE}}
patches: [{name: a, external: {generatePatchesExtension: b, validateTopologyExtension: c}}]
variables: [{name: a, required: true, deprecatedV1Beta1Metadata: {labels: {a: b}}, schema: {openAPIV3Schema: {type: object, default: {}}}}]`],
  ['Machine', CORE, MACHINE, NEW_MACHINE],
  ['MachineDeployment', CORE, `clusterName: acme
minReadySeconds: 5
progressDeadlineSeconds: 600
revisionHistoryLimit: 1
rolloutAfter: 2026-01-01T00:00:00Z
machineNamingStrategy: {template: a}
paused: false
${STRATEGY}
template:
  spec:
${indented(MACHINE, 4)}`, `clusterName: acme
rollout:
  after: 2026-01-01T00:00:00Z
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 2}}
machineNaming: {template: a}
deletion: {order: Oldest}
remediation: {maxInFlight: 1}
template:
  spec:
    minReadySeconds: 5
${indented(NEW_MACHINE, 4)}`],
  ['MachineSet', CORE, `clusterName: acme
deletePolicy: Oldest
minReadySeconds: 5
machineNamingStrategy: {template: a}
template:
  spec:
${indented(MACHINE, 4)}`, `clusterName: acme
deletion: {order: Oldest}
machineNaming: {template: a}
template:
  spec:
    minReadySeconds: 5
${indented(NEW_MACHINE, 4)}`],
  ['MachinePool', CORE, `clusterName: acme
minReadySeconds: 5
failureDomains: [a]
template:
  spec:
${indented(MACHINE, 4)}`, `clusterName: acme
failureDomains: [a]
template:
  spec:
    minReadySeconds: 5
${indented(NEW_MACHINE, 4)}`],
  ['MachineHealthCheck', CORE, `clusterName: acme\nselector: {}\n${CHECKS}\nremediationTemplate: ${REFERENCE}`, `clusterName: acme\nselector: {}\n${NEW_CHECKS}\n  templateRef: ${TEMPLATE}`],
  ['MachineDrainRule', CORE, 'drain: {behavior: Skip}\npods: [{selector: {}}]', 'drain: {behavior: Skip}\npods: [{selector: {}}]'],
  ['ClusterResourceSet', ADDONS, 'clusterSelector: {matchLabels: {a: b}}\nresources: [{kind: ConfigMap, name: a}]\nstrategy: ApplyOnce', 'clusterSelector: {matchLabels: {a: b}}\nresources: [{kind: ConfigMap, name: a}]'],
  ['ClusterResourceSetBinding', ADDONS, 'clusterName: acme', 'clusterName: acme'],
  ['KubeadmConfig', BOOTSTRAP, CONFIGURATION, FORMAT + NEW_CONFIGURATION],
  ['KubeadmConfigTemplate', BOOTSTRAP, `template:\n  spec:\n${indented(CONFIGURATION, 4)}`, `template:\n  spec:\n${indented(NEW_CONFIGURATION, 4)}`],
  ['KubeadmControlPlane', CONTROL_PLANES, `replicas: 3\nversion: 1.34.1\n${CONTROL_PLANE}\n  infrastructureRef: ${REFERENCE}`, `replicas: 3\nversion: v1.34.1\n${NEW_CONTROL_PLANE}
    infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachineTemplate, name: a}`],
  ['KubeadmControlPlaneTemplate', CONTROL_PLANES, `template:\n  spec:\n${indented(CONTROL_PLANE, 4)}`, `template:\n  spec:\n${indented(NEW_CONTROL_PLANE.replace('kubeadmConfigSpec:\n', 'kubeadmConfigSpec:\n  format: cloud-config\n'), 4)}`],
  ['IPAddress', IPAM, 'address: 10.0.0.1\nprefix: 24\nclaimRef: {name: a}\npoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}', 'address: 10.0.0.1\nprefix: 24\nclaimRef: {name: a}\npoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}'],
  ['IPAddressClaim', IPAM, 'clusterName: acme\npoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}', 'clusterName: acme\npoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}'],
  ['ExtensionConfig', ['runtime.cluster.x-k8s.io/v1alpha1', 'runtime.cluster.x-k8s.io/v1beta2'], 'clientConfig: {service: {name: a, namespace: b, port: 443}}\nnamespaceSelector: {}', 'clientConfig: {service: {name: a, namespace: b}}'],
];

test.each(SAME)('%s: the same in two versions', (kind, [older, newer], old, now) => {
  const [before, after] = [object(kind, older, old), object(kind, newer, now)];

  expect(differences(before, after)).toEqual([]);
  expect(differences(after, before)).toEqual([]);
  expect(storedObject(before)).toEqual(storedObject(after));
  expect(storedObject(storedObject(before))).toEqual(storedObject(before));
  expect(storedObject(before).apiVersion).toBe(newer);
});

test.each(SAME)('%s: each value that is not the same is found', (kind, [older, newer], old, now) => {
  const before = object(kind, older, old);
  const lines = now.split('\n').filter((line) => /: (?:\d+|[a-z]\w*)$/.test(line));
  for (const line of lines) {
    const other = now.replace(line, /\d$/.test(line) ? `${line}7` : `${line}x`);
    expect([line, differences(before, object(kind, newer, other)).length > 0]).toEqual([line, true]);
  }
});
