import { bound, refused } from './bound';
import { AuditLevel } from '../../../../src/constructs/control-planes/kamaji/audit';
import { ControlPlaneAuthentication } from '../../../../src/constructs/control-planes/kamaji/authentication';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';

const DEFAULTS = [
  'CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction', 'DefaultIngressClass', 'DefaultStorageClass',
  'DefaultTolerationSeconds', 'LimitRanger', 'MutatingAdmissionWebhook', 'NamespaceLifecycle', 'NodeRestriction', 'PersistentVolumeClaimResize',
  'Priority', 'ResourceQuota', 'RuntimeClass', 'ServiceAccount', 'StorageObjectInUseProtection', 'TaintNodesByCondition', 'ValidatingAdmissionWebhook',
];
const apiServer = (name: string, value: string): KamajiControlPlaneProps => ({ apiServer: { extraArgs: [{ name, value }] } });
const controllerManager = (name: string, value: string): KamajiControlPlaneProps => ({ controllerManager: { extraArgs: [{ name, value }] } });
const scheduler = (name: string, value: string): KamajiControlPlaneProps => ({ scheduler: { extraArgs: [{ name, value }] } });

describe('flags', () => {
  test('are written with hyphens and value, feature gates first and sorted, the user\'s in their order', () => {
    const { spec, problems } = bound({
      apiServer: {
        featureGates: { WatchList: true, MutatingAdmissionPolicy: false },
        extraArgs: [{ name: 'v', value: '4' }, { name: 'audit-log-maxage', value: '7' }],
      },
      controllerManager: { extraArgs: [{ name: 'allocate-node-cidrs', value: 'false' }, { name: 'controllers', value: '*,bootstrapsigner,tokencleaner,-nodeipam' }] },
      scheduler: { extraArgs: [{ name: 'v', value: '2' }] },
    });

    expect(problems).toEqual([]);
    expect(spec.apiServer.extraArgs).toEqual(['--feature-gates=MutatingAdmissionPolicy=false,WatchList=true', '--v=4', '--audit-log-maxage=7']);
    expect(spec.controllerManager.extraArgs).toEqual(['--allocate-node-cidrs=false', '--controllers=*,bootstrapsigner,tokencleaner,-nodeipam']);
    expect(spec.scheduler.extraArgs).toEqual(['--v=2']);
  });

  test('are those of the cluster\'s Kubernetes minor', () => {
    const props = apiServer('tls-curve-preferences', '29');

    expect(refused(props, { kubernetesVersion: KubernetesVersion.of('1.36.1') })).toEqual([]);
    expect(refused(props)).toEqual([expect.stringMatching(/^TC-TRAP-KAMAJI-ARGUMENT controlPlane.apiServer.extraArgs\[0\]: kube-apiserver 1.35 has no flag --tls-curve-preferences \(exists from 1.36\)/)]);
  });

  test('of egress belong to the user where there is no konnectivity', () => {
    expect(refused({ ...apiServer('egress-selector-config-file', '/x'), konnectivity: KamajiKonnectivity.none() })).toEqual([]);
  });

  test.each<[KamajiControlPlaneProps, string, string]>([
    [apiServer('disable-admission-plugins', 'A'), 'apiServer', 'controlPlane.admissionPlugins sets it'],
    [apiServer('egress-selector-config-file', '/x'), 'apiServer', 'konnectivity sets it'],
    [controllerManager('node-cidr-mask-size', '26'), 'controllerManager', 'nodeCidrMaskSizes of the cluster sets it'],
    [{ apiServer: { featureGates: { WatchList: true }, extraArgs: [{ name: 'feature-gates', value: 'WatchList=true' }] } }, 'apiServer', 'controlPlane.apiServer.featureGates sets it'],
    [{ ...apiServer('authentication-config', '/x'), authentication: ControlPlaneAuthentication.configMap('a', 'b') }, 'apiServer', 'controlPlane.authentication sets it'],
    [{ ...apiServer('audit-policy-file', '/x'), audit: { rules: [{ level: AuditLevel.METADATA }] } }, 'apiServer', 'controlPlane.audit sets it'],
    [{ ...apiServer('encryption-provider-config', '/x'), encryption: { secretName: 'a', key: 'b' } }, 'apiServer', 'controlPlane.encryption sets it'],
  ])('that somebody else sets are refused with the reason: %j', (props, component, reason) => {
    expect(refused(props)).toEqual([expect.stringMatching(new RegExp(`^TC-KAMAJI-ARGUMENT controlPlane\\.${component}\\.extraArgs\\[0\\]: .*, because ${reason}`))]);
  });

  test.each([
    ['enable-admission-plugins', ', by the list of admission plug-ins,'], ['etcd-prefix', ', by the data store,'], ['secure-port', ', by the port of the control plane,'], ['tls_cert_file', ','],
  ])('of Kamaji are refused, since it drops them: %s', (name, origin) => {
    expect(refused(apiServer(name, 'x'))).toContainEqual(
      expect.stringContaining(`TC-TRAP-KAMAJI-MANAGED-FLAG controlPlane.apiServer.extraArgs[0]: Kamaji sets --${name.replaceAll('_', '-')} itself${origin} and the value here is lost`),
    );
  });

  test.each<[KamajiControlPlaneProps, string]>([
    [controllerManager('cluster-cidr', '10.0.0.0/16'), 'controllerManager.extraArgs[0]: --cluster-cidr must keep Kamaji\'s value: it follows from the network of the cluster'],
    [controllerManager('leader-elect', 'false'), 'controllerManager.extraArgs[0]: --leader-elect must keep Kamaji\'s value: without a leader the replicas would work against each other'],
    [controllerManager('kubeconfig', '/x'), 'controllerManager.extraArgs[0]: --kubeconfig must keep Kamaji\'s value: it names the file that Kamaji mounts there'],
    [scheduler('bind-address', '::'), 'scheduler.extraArgs[0]: Kamaji sets --bind-address itself, and the value here is lost'],
    [scheduler('secure-port', '1'), 'scheduler.extraArgs[0]: --secure-port must keep Kamaji\'s value: the probes ask at the default port'],
  ])('of Kamaji are refused for the other components, too: %j', (props, text) => {
    expect(refused(props)).toEqual([expect.stringContaining(`TC-TRAP-KAMAJI-MANAGED-FLAG controlPlane.${text}`)]);
  });

  test('of the older kind of authentication are refused beside the newer one, even as plain arguments', () => {
    expect(refused({ apiServer: { extraArgs: [{ name: 'authentication-config', value: '/x' }, { name: 'oidc-client-id', value: 'y' }] } })).toEqual([
      expect.stringContaining('TC-TRAP-KAMAJI-OIDC controlPlane.apiServer.extraArgs[1]: the API server exits when --oidc-client-id comes beside --authentication-config'),
    ]);
    expect(refused({ ...apiServer('oidc-issuer-url', 'https://x'), authentication: ControlPlaneAuthentication.configMap('a', 'b') })).toEqual([
      expect.stringContaining('TC-TRAP-KAMAJI-OIDC controlPlane.apiServer.extraArgs[0]: the API server exits when --oidc-issuer-url comes beside --authentication-config'),
    ]);
  });

  test('for tokens of an identity provider come with issuer and client', () => {
    const flags = (...names: string[]) => refused({ apiServer: { extraArgs: names.map((name) => ({ name, value: name === 'oidc-issuer-url' ? 'https://id.example.com' : 'x' })) } });

    expect(flags('oidc-issuer-url')).toEqual([expect.stringContaining('TC-TRAP-KAMAJI-OIDC controlPlane.apiServer.extraArgs[0]: without --oidc-client-id the API server exits')]);
    expect(flags('oidc-groups-claim')).toEqual([expect.stringContaining('without --oidc-issuer-url and --oidc-client-id the API server exits')]);
    expect(flags('oidc-issuer-url', 'oidc_client_id', 'oidc-groups-claim')).toEqual([]);
  });

  test('that would stop every probe are refused', () => {
    expect(refused(apiServer('anonymous-auth', 'False'))).toEqual([expect.stringContaining('TC-TRAP-KAMAJI-FLAG-VALUE controlPlane.apiServer.extraArgs[0]: without anonymous requests')]);
    expect(refused(apiServer('anonymous-auth', 'true'))).toEqual([]);
  });

  test('that would let anybody do anything, or kubelets nothing, are refused', () => {
    expect(refused(apiServer('authorization-mode', 'AlwaysAllow'))).toEqual([
      expect.stringContaining('TC-TRAP-KAMAJI-FLAG-VALUE controlPlane.apiServer.extraArgs[0]: with AlwaysAllow every client may do everything'),
    ]);
    expect(refused(apiServer('authorization-mode', 'RBAC'))).toEqual([
      expect.stringContaining('TC-TRAP-KAMAJI-FLAG-VALUE controlPlane.apiServer.extraArgs[0]: "RBAC" leaves out Node'),
    ]);
    expect(refused(apiServer('authorization-mode', 'Node,RBAC,Webhook'))).toEqual([]);
    expect(refused(apiServer('authorization-config', '/etc/kubernetes/authorization.yaml'))).toEqual([]);
  });

  test('that would keep machines from joining are refused', () => {
    expect(refused(controllerManager('controllers', '*,-nodeipam'))).toEqual([
      expect.stringContaining('TC-TRAP-KAMAJI-FLAG-VALUE controlPlane.controllerManager.extraArgs[0]: "*,-nodeipam" leaves out bootstrapsigner and tokencleaner'),
    ]);
  });

  test('without a place in the program are refused, and deprecated ones are not', () => {
    expect(refused(apiServer('audit-log-maxagee', '7'))).toEqual([expect.stringMatching(/^TC-TRAP-KAMAJI-ARGUMENT .*did you mean .*audit-log-maxage/)]);
    expect(refused(apiServer('audit-log-maxage', 'a week'))).toEqual([expect.stringMatching(/^TC-TRAP-KAMAJI-ARGUMENT .*a week/)]);
  });
});

test('a feature gate that does not exist in the minor, or is locked, is refused', () => {
  expect(refused({ scheduler: { featureGates: { CSIMigrationPortworx: true } } }, { kubernetesVersion: KubernetesVersion.of('1.36.0') })).toEqual([
    expect.stringMatching(/^TC-TRAP-KAMAJI-ARGUMENT controlPlane\.scheduler\.featureGates: .*CSIMigrationPortworx.*removed in 1\.36/),
  ]);
  expect(refused({ apiServer: { featureGates: { StructuredAuthenticationConfiguration: false } } })).toEqual([
    expect.stringMatching(/^TC-TRAP-KAMAJI-ARGUMENT .*locked to true in 1\.35/),
  ]);
});

test('resources and image of a component are the user\'s, and checked', () => {
  const { spec } = bound({ scheduler: { resources: { requests: { cpu: '10m' } }, image: 'hardened/scheduler' } });
  expect(spec.scheduler).toMatchObject({ resources: { requests: { cpu: '10m' } }, containerImageName: 'hardened/scheduler' });
  expect(spec.scheduler.resources).not.toHaveProperty('limits');

  expect(refused({ apiServer: { resources: { requests: { memory: '4Gi' }, limits: { memory: '2Gi' } } } })).toEqual([
    expect.stringContaining('TC-KAMAJI-RESOURCES controlPlane.apiServer.resources.requests.memory: "4Gi" is more than the limit, "2Gi"'),
  ]);
  expect(refused({ controllerManager: { image: 'kcm:v1' } })).toEqual([expect.stringContaining('TC-KAMAJI-IMAGE controlPlane.controllerManager.image: "kcm:v1"')]);
});

test('resources that are switched off leave no block behind', () => {
  expect(bound({ apiServer: { resources: {} } }).spec.apiServer).not.toHaveProperty('resources');
});

describe('admission plug-ins', () => {
  test('are Kamaji\'s and NodeRestriction', () => {
    expect(bound().spec.admissionControllers).toEqual(DEFAULTS);
  });

  test('are switched on in one order, however they are given', () => {
    const { spec } = bound({ admissionPlugins: { enable: ['PodNodeSelector', 'AlwaysPullImages', 'LimitRanger'] } });
    expect(spec.admissionControllers).toEqual([...DEFAULTS, 'AlwaysPullImages', 'PodNodeSelector'].sort());
    expect(spec.apiServer.extraArgs).toEqual([]);
  });

  test('are really off when they are switched off: the API server runs its own beside the list', () => {
    const { spec, problems } = bound({ admissionPlugins: { disable: ['PodSecurity', 'DefaultStorageClass', 'NodeRestriction'] } });

    expect(problems).toEqual([]);
    expect(spec.admissionControllers).toEqual(DEFAULTS.filter((name) => name !== 'DefaultStorageClass' && name !== 'NodeRestriction'));
    expect(spec.apiServer.extraArgs).toEqual(['--disable-admission-plugins=DefaultStorageClass,PodSecurity']);
  });

  test.each([
    ['1.34.3', ['ClusterTrustBundleAttest', 'MutatingAdmissionPolicy', 'PodTopologyLabels', 'ValidatingAdmissionPolicy'], ['NodeDeclaredFeatureValidator']],
    ['1.35.2', ['NodeDeclaredFeatureValidator'], ['JobValidation', 'PodGroupProtection', 'PodGroupWorkloadExists', 'PodResizeValidator']],
    ['1.36.3', ['NodeDeclaredFeatureValidator', 'JobValidation', 'PodGroupProtection', 'PodGroupWorkloadExists', 'PodResizeValidator'], []],
  ])('that API servers of %s run without being told can be switched off, and those of later ones cannot', (version, known, unknown) => {
    const context = { kubernetesVersion: KubernetesVersion.of(version) };
    const minor = version.slice(0, 4);

    expect(refused({ admissionPlugins: { disable: known } }, context)).toEqual([]);
    expect(refused({ admissionPlugins: { enable: known } }, context).sort()).toEqual(
      known.map((name, index) => expect.stringContaining(`TC-ADMIT-FIELD-VALUE controlPlane.admissionPlugins.enable[${index}]: "${name}" is none of the choices`)),
    );
    expect(refused({ admissionPlugins: { disable: unknown } }, context)).toEqual(
      unknown.map((name) => expect.stringContaining(`"${name}" is not an admission plug-in that is on in Kubernetes ${minor}`)),
    );
    expect(refused({ admissionPlugins: { enable: unknown } }, context).sort()).toEqual(
      unknown.map((name, index) => expect.stringContaining(`TC-ADMIT-FIELD-VALUE controlPlane.admissionPlugins.enable[${index}]: "${name}" is none of the choices`)),
    );
  });

  test('that need a configuration are accepted with one', () => {
    expect(refused({ admissionPlugins: { enable: ['ImagePolicyWebhook'] }, ...apiServer('admission-control-config-file', '/etc/kubernetes/admission/config.yaml') })).toEqual([]);
  });

  test.each([
    [{ enable: ['PodSecurityPolicy'] }, 'TC-TRAP-KAMAJI-ADMISSION-PLUGIN controlPlane.admissionPlugins.enable[0]: Kubernetes has no admission plug-in PodSecurityPolicy any more'],
    [{ enable: ['AlwaysPullImage'] }, 'TC-ADMIT-FIELD-VALUE controlPlane.admissionPlugins.enable[0]: "AlwaysPullImage" is none of the choices. Accepted: "AlwaysAdmit", '],
    [{ enable: ['ValidatingAdmissionPolicy'] }, 'TC-ADMIT-FIELD-VALUE controlPlane.admissionPlugins.enable[0]: "ValidatingAdmissionPolicy" is none of the choices'],
    [{ disable: ['AlwaysDeny'] }, 'TC-KAMAJI-ADMISSION-PLUGIN controlPlane.admissionPlugins.disable[0]: "AlwaysDeny" is not an admission plug-in that is on'],
    [{ enable: ['LimitRanger'], disable: ['LimitRanger'] }, 'TC-KAMAJI-ADMISSION-PLUGIN controlPlane.admissionPlugins.disable[0]: LimitRanger is to be switched on and off'],
    [{ enable: ['EventRateLimit'] }, 'TC-TRAP-KAMAJI-ADMISSION-PLUGIN controlPlane.admissionPlugins.enable[0]: the API server exits, because EventRateLimit has no configuration'],
  ])('%j is refused', (admissionPlugins, problem) => {
    expect(refused({ admissionPlugins })).toEqual([expect.stringContaining(problem)]);
  });
});
