import { Chart } from 'cdk8s';
import { bound, refused } from './bound';
import { KamajiUpdateStrategy } from '../../../../src/constructs/control-planes/kamaji/deployment';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity, KamajiKonnectivityAgentMode } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KamajiKubeletPatch, KamajiNodeAddressType, KamajiPatchOperation } from '../../../../src/constructs/control-planes/kamaji/kubelet';
import { KamajiVolume, KamajiVolumeMount } from '../../../../src/constructs/control-planes/kamaji/volumes';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';
import { clusterContext } from '../../../support/contexts';
import { problemsIn } from '../../../support/problems';

describe('the pods', () => {
  test('are spread over nodes if possible', () => {
    expect(bound().spec.deployment.topologySpreadConstraints).toEqual([{
      topologyKey: 'kubernetes.io/hostname',
      maxSkew: 1,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { 'kamaji.clastix.io/name': 'acme' } },
    }]);
    expect(bound({ deployment: { topologySpreadConstraints: [] } }).spec.deployment.topologySpreadConstraints).toEqual([]);
  });

  test.each([
    [KamajiUpdateStrategy.blueGreen(), { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } }],
    [KamajiUpdateStrategy.rollingUpdate(), { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }],
    [KamajiUpdateStrategy.rollingUpdate({ maxSurge: 0, maxUnavailable: 1 }), { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
    [KamajiUpdateStrategy.recreate(), { type: 'Recreate' }],
  ])('are replaced as the strategy says', (strategy, expected) => {
    const { spec, problems } = bound({ deployment: { strategy } });
    expect(problems).toEqual([]);
    expect(spec.deployment.strategy).toEqual(expected);
  });

  test('mount what the user declares, read-only', () => {
    const { spec, problems } = bound({
      deployment: { volumes: [KamajiVolume.secret('webhooks', 'webhook-config'), KamajiVolume.configMap('policy', 'scheduler-policy')] },
      apiServer: { extraVolumeMounts: [{ name: 'webhooks', mountPath: '/etc/kubernetes/webhooks' }] },
      scheduler: { extraVolumeMounts: [{ name: 'policy', mountPath: '/etc/scheduler/config.yaml', subPath: 'config.yaml' }] },
    });

    expect(problems).toEqual([]);
    expect(spec.deployment.extraVolumes).toEqual([{ name: 'webhooks', secret: { secretName: 'webhook-config' } }, { name: 'policy', configMap: { name: 'scheduler-policy' } }]);
    expect(spec.apiServer.extraVolumeMounts).toEqual([{ name: 'webhooks', mountPath: '/etc/kubernetes/webhooks', readOnly: true }]);
    expect(spec.scheduler.extraVolumeMounts).toEqual([{ name: 'policy', mountPath: '/etc/scheduler/config.yaml', subPath: 'config.yaml', readOnly: true }]);
  });

  const volumes = [KamajiVolume.configMap('a', 'b')];
  const mount = (extraVolumeMounts: KamajiVolumeMount[]): KamajiControlPlaneProps => ({
    deployment: { volumes }, controllerManager: { extraVolumeMounts },
  });

  test.each<[string, KamajiControlPlaneProps, string]>([
    ['a node selector that is none', { deployment: { nodeSelector: { 'a b': '' } } }, 'TC-KAMAJI-METADATA controlPlane.deployment.nodeSelector["a b"]'],
    ['pod labels that are none', { deployment: { podLabels: { a: 'b c' } } }, 'TC-KAMAJI-METADATA controlPlane.deployment.podLabels.a'],
    ['pod labels of Kamaji', { deployment: { podLabels: { 'kamaji.clastix.io/name': 'x' } } }, 'TC-KAMAJI-METADATA controlPlane.deployment.podLabels["kamaji.clastix.io/name"]: the label "kamaji.clastix.io/name" belongs to Kamaji'],
    ['pod annotations that are none', { deployment: { podAnnotations: { '': 'x' } } }, 'TC-KAMAJI-METADATA controlPlane.deployment.podAnnotations[""]'],
    ['a runtime class that is no name', { deployment: { runtimeClassName: 'Kata' } }, 'TC-KAMAJI-DEPLOYMENT controlPlane.deployment.runtimeClassName: "Kata"'],
    ['a service account that is no name', { deployment: { serviceAccountName: 'a_b' } }, 'TC-KAMAJI-DEPLOYMENT controlPlane.deployment.serviceAccountName: "a_b"'],
    ['a toleration of nothing', { deployment: { tolerations: [{ value: 'x' }] } }, 'TC-KAMAJI-TOLERATION controlPlane.deployment.tolerations[0].operator: there is no key'],
    ['a rollout that cannot move', { deployment: { strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: 0 }) } }, 'TC-KAMAJI-DEPLOYMENT controlPlane.deployment.strategy: pods cannot be replaced with maxSurge 0 and maxUnavailable 0'],
    ['half a pod', { deployment: { strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: 0.5 }) } }, 'TC-ADMIT-FIELD-TYPE controlPlane.deployment.strategy: 0.5 is not a whole number'],
    ['a volume of Kamaji', { deployment: { volumes: [KamajiVolume.secret('kine-uds', 'x')] } }, 'TC-TRAP-KAMAJI-VOLUME controlPlane.deployment.volumes[0]: the name "kine-uds" belongs to Kamaji'],
    ['a volume of the library', { deployment: { volumes: [KamajiVolume.secret('encryption-config', 'x')] }, encryption: { secretName: 'a', key: 'b' } }, 'TC-TRAP-KAMAJI-VOLUME controlPlane.deployment.volumes: the name "encryption-config" is there twice'],
    ['a volume twice', { deployment: { volumes: [...volumes, ...volumes] } }, 'TC-TRAP-KAMAJI-VOLUME controlPlane.deployment.volumes[1]: the name "a" is there twice'],
    ['a volume that is no name', { deployment: { volumes: [KamajiVolume.secret('A', 'x')] } }, 'TC-TRAP-KAMAJI-VOLUME controlPlane.deployment.volumes[0]: "A" is not a DNS label'],
    ['a volume from nowhere', { deployment: { volumes: [KamajiVolume.secret('a', '')] } }, 'TC-KAMAJI-FILE-SOURCE controlPlane.deployment.volumes[0]: "" is not a DNS name'],
    ['a mount without a volume', mount([{ name: 'c', mountPath: '/x' }]), 'TC-TRAP-KAMAJI-VOLUME controlPlane.controllerManager.extraVolumeMounts[0].name: there is no volume "c". Accepted: "a"'],
    ['a relative mount', mount([{ name: 'a', mountPath: 'x' }]), 'TC-KAMAJI-VOLUME-MOUNT controlPlane.controllerManager.extraVolumeMounts[0].mountPath: "x" is not a place'],
    ['a mount over Kamaji\'s', mount([{ name: 'a', mountPath: '/etc/kubernetes/' }]), 'TC-KAMAJI-VOLUME-MOUNT controlPlane.controllerManager.extraVolumeMounts[0].mountPath: something is mounted at "/etc/kubernetes/" already'],
    ['two mounts at one place', mount([{ name: 'a', mountPath: '/x' }, { name: 'a', mountPath: '/x' }]), 'TC-KAMAJI-VOLUME-MOUNT controlPlane.controllerManager.extraVolumeMounts[1].mountPath: something is mounted at "/x" already'],
    ['two mounts at one place, written in two ways', mount([{ name: 'a', mountPath: '/x/' }, { name: 'a', mountPath: '/x' }]), 'TC-KAMAJI-VOLUME-MOUNT controlPlane.controllerManager.extraVolumeMounts[1].mountPath: something is mounted at "/x" already'],
    ['a mount with a line break', mount([{ name: 'a', mountPath: '/x\n' }]), 'TC-KAMAJI-VOLUME-MOUNT controlPlane.controllerManager.extraVolumeMounts[0].mountPath: "/x\\n" is not a place'],
    ['a mount from outside of the volume', mount([{ name: 'a', mountPath: '/x', subPath: '../y' }]), 'TC-KAMAJI-VOLUME-MOUNT controlPlane.controllerManager.extraVolumeMounts[0].subPath: "../y" is not a path inside a volume'],
  ])('%s is refused', (_, props, problem) => {
    expect(refused(props)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('kubelets', () => {
  const kubernetes = (version: string) => ({ kubernetesVersion: KubernetesVersion.of(version) });
  const removals = [{ op: 'remove', path: '/crashLoopBackOff/maxContainerRestartPeriod' }, { op: 'remove', path: '/imagePullCredentialsVerificationPolicy' }];
  const driver = { op: 'add', path: '/cgroupDriver', value: 'systemd' };

  test.each(['1.35.0', '1.36.1'])('of Kubernetes %s only need the cgroup driver', (version) => {
    expect(bound({}, kubernetes(version)).spec.kubelet).toEqual({ preferredAddressTypes: ['InternalIP', 'ExternalIP'], configurationJSONPatches: [driver] });
  });

  test.each(['1.33.4', '1.34.9'])('of Kubernetes %s are spared two fields that they refuse, and start with cgroup v1', (version) => {
    const cgroups = { op: 'add', path: '/failCgroupV1', value: false };
    expect(bound({}, kubernetes(version)).spec.kubelet.configurationJSONPatches).toEqual([driver, ...removals, cgroups]);
  });

  test('get the user\'s patches last', () => {
    const { spec } = bound({
      kubelet: {
        preferredAddressTypes: [KamajiNodeAddressType.EXTERNAL_IP],
        configurationPatches: [{ op: KamajiPatchOperation.ADD, path: '/failSwapOn', value: false }],
      },
    });

    expect(spec.kubelet).toEqual({ preferredAddressTypes: ['ExternalIP'], configurationJSONPatches: [driver, { op: 'add', path: '/failSwapOn', value: false }] });
  });

  test.each<[KamajiKubeletPatch, string]>([
    [{ op: KamajiPatchOperation.REMOVE, path: 'failSwapOn' }, 'path: "failSwapOn" is not a JSON pointer'],
    [{ op: KamajiPatchOperation.REMOVE, path: '/a~b' }, 'path: "/a~b" is not a JSON pointer'],
    [{ op: KamajiPatchOperation.MOVE, path: '/a', from: 'b' }, 'from: "b" is not a JSON pointer'],
    [{ op: KamajiPatchOperation.COPY, path: '/a' }, 'from: the operation "copy" does not say where the value comes from'],
    [{ op: KamajiPatchOperation.REPLACE, path: '/a' }, 'value: the operation "replace" has no value'],
    [{ op: KamajiPatchOperation.ADD, path: `${'/'.repeat(40)}~`, value: 1 }, 'path: "////'],
  ])('are not given the patch %j', (patch, problem) => {
    expect(refused({ kubelet: { configurationPatches: [patch] } })).toEqual([expect.stringContaining(`TC-KAMAJI-KUBELET-PATCH controlPlane.kubelet.configurationPatches[0].${problem}`)]);
  });

  test('are not given values that no manifest can hold', () => {
    const configurationPatches = [{ op: KamajiPatchOperation.ADD, path: '/a', value: { b: [NaN] } }];
    const problems = problemsIn((app) => new KamajiControlPlane({ kubelet: { configurationPatches } }).bind(new Chart(app, 'acme'), clusterContext()));

    expect(problems).toMatchObject([{ id: 'TC-KAMAJI-KUBELET-PATCH', text: expect.stringContaining('controlPlane.kubelet.configurationPatches[0].value: a value of type number (NaN)') }]);
  });

  test('are reached by at least one type of address, each once', () => {
    const { INTERNAL_IP } = KamajiNodeAddressType;

    expect(refused({ kubelet: { preferredAddressTypes: [] } })).toEqual([expect.stringContaining('TC-ADMIT-FIELD-VALUE controlPlane.kubelet.preferredAddressTypes: it is empty')]);
    expect(refused({ kubelet: { preferredAddressTypes: [INTERNAL_IP, INTERNAL_IP] } })).toEqual([expect.stringContaining('TC-ADMIT-FIELD-DUPLICATE controlPlane.kubelet.preferredAddressTypes[1]: "InternalIP"')]);
  });
});

describe('how pods are spread', () => {
  const spread = { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 };

  test.each<[object[], string]>([
    [[{ ...spread, maxSkew: 0 }], '[0].maxSkew: 0 is not'],
    [[{ ...spread, minDomains: 0 }], '[0].minDomains: 0 domains'],
    [[{ ...spread, whenUnsatisfiable: 'ScheduleAnyway' }], '[0].minDomains: 2 domains'],
    [[{ ...spread, topologyKey: 'a b' }], '[0].topologyKey: "a b" is not a qualified name'],
    [[{ ...spread, minDomains: undefined, whenUnsatisfiable: 'Wait' }], '[0].whenUnsatisfiable: "Wait" is not an action. Fix: write "DoNotSchedule" or "ScheduleAnyway"'],
    [[spread, { ...spread, maxSkew: 3 }], '[1]: "topology.kubernetes.io/zone" with "DoNotSchedule" is there twice'],
  ])('is not %j', (constraints, problem) => {
    const topologySpreadConstraints = constraints as NonNullable<KamajiControlPlaneProps['deployment']>['topologySpreadConstraints'];
    expect(refused({ deployment: { topologySpreadConstraints } })).toEqual([expect.stringContaining(`TC-KAMAJI-DEPLOYMENT controlPlane.deployment.topologySpreadConstraints${problem}`)]);
  });

  test.each([[1.5, 'TC-ADMIT-FIELD-TYPE', '1.5 is not a whole number'], [2 ** 31, 'TC-ADMIT-FIELD-VALUE', '2147483648 does not fit']])('is no number such as %d', (maxSkew, id, text) => {
    expect(refused({ deployment: { topologySpreadConstraints: [{ ...spread, maxSkew }] } })).toEqual([
      expect.stringContaining(`${id} controlPlane.deployment.topologySpreadConstraints[0].maxSkew: ${text}`),
    ]);
  });

  test('is the user\'s to say', () => {
    expect(refused({ deployment: { topologySpreadConstraints: [spread, { ...spread, whenUnsatisfiable: 'ScheduleAnyway', minDomains: undefined }] } })).toEqual([]);
  });
});

describe('numbers of more than 32 bits', () => {
  const MORE = 2 ** 31;

  test.each<[KamajiControlPlaneProps, string]>([
    [{ replicas: MORE }, 'TC-ADMIT-FIELD-VALUE controlPlane.replicas: 2147483648'],
    [{ probes: { startup: { failureThreshold: MORE } } }, 'TC-ADMIT-FIELD-VALUE controlPlane.probes.startup.failureThreshold: 2147483648'],
    [{ deployment: { strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: MORE }) } }, 'TC-KAMAJI-DEPLOYMENT controlPlane.deployment.strategy'],
    [{
      konnectivity: KamajiKonnectivity.managed({ agentMode: KamajiKonnectivityAgentMode.DEPLOYMENT, agentReplicas: MORE }),
    }, 'TC-ADMIT-FIELD-VALUE controlPlane.konnectivity.agentReplicas: 2147483648'],
  ])('are refused: %j', (props, problem) => {
    expect(refused(props)).toEqual([expect.stringContaining(problem)]);
  });
});
