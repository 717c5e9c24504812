import { parse as parseYaml } from 'yaml';
import { everyOutput, findings, isOwn, PlacedObject } from './placed-objects';
import * as facts from './programs.generated.json';
import { Manifest } from '../support/clusters';

const outputs = everyOutput();

/** A pod that an object describes. */
interface Pod {
  /** Path of the pod in the object. */
  readonly path: string;
  readonly spec: Manifest;
}

/** A container of such a pod. */
interface Container {
  readonly path: string;
  readonly pod: Manifest;
  readonly container: Manifest;
}

/** The pods of an object of whatever kind: whatever has containers with images. */
function podsIn(value: unknown, path = ''): Pod[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = isPod(value) ? [{ path, spec: value }] : [];
  return [...found, ...Object.entries(value).flatMap(([key, below]) => podsIn(below, path ? `${path}.${key}` : key))];
}

/** All containers of an object, those that start before the others among them. */
function containersIn(object: Manifest): Container[] {
  return podsIn(object).flatMap(({ path, spec }) => ['initContainers', 'containers'].flatMap((list) => (
    (spec[list] ?? []).map((container: Manifest) => ({ path: `${path}.${list}[${container.name}]`, pod: spec, container })))));
}

function isPod(value: object): boolean {
  const { containers } = value as Manifest;
  return Array.isArray(containers) && containers.some((container) => typeof container?.image === 'string');
}

describe('access', () => {
  /** Resources that belong to no namespace, of those that some role may name, by `group/resource`. */
  const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
    '/namespaces', '/nodes', '/persistentvolumes', 'storage.k8s.io/csidrivers', 'storage.k8s.io/csinodes', 'storage.k8s.io/storageclasses',
    'storage.k8s.io/volumeattachments', 'storage.k8s.io/volumeattributesclasses', 'scheduling.k8s.io/priorityclasses', 'apiextensions.k8s.io/customresourcedefinitions',
    'snapshot.storage.k8s.io/volumesnapshotclasses', 'snapshot.storage.k8s.io/volumesnapshotcontents', 'node.k8s.io/runtimeclasses',
    'instancetype.kubevirt.io/virtualmachineclusterinstancetypes', 'instancetype.kubevirt.io/virtualmachineclusterpreferences', 'kamaji.clastix.io/datastores',
    'networking.k8s.io/ingressclasses', 'gateway.networking.k8s.io/gatewayclasses', 'rbac.authorization.k8s.io/clusterroles', 'rbac.authorization.k8s.io/clusterrolebindings',
    'admissionregistration.k8s.io/validatingwebhookconfigurations', 'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  ]);

  /** Verbs that let somebody have more than the role says. */
  const ESCALATING: readonly string[] = ['bind', 'escalate', 'impersonate'];

  /** A role that may more than its kind should, and why. */
  interface RoleException {
    /** Name of the role, and what is wrong with it otherwise. */
    readonly role: RegExp;
    readonly fault: RegExp;
    readonly reason: string;
  }

  /** Faults of a Role or ClusterRole with too many permissions. */
  function excessOf(object: Manifest, exceptions: readonly RoleException[] = []): string[] {
    if (!['Role', 'ClusterRole'].includes(object.kind)) return [];
    const granted = exceptions.filter(({ role }) => role.test(object.metadata.name));
    return (object.rules ?? []).flatMap((rule: Manifest, index: number) => excessOfRule(rule, object.kind).map((fault) => `rules[${index}]: ${fault}`))
      .filter((fault: string) => !granted.some((exception) => exception.fault.test(fault)));
  }

  function excessOfRule({ apiGroups = [], resources = [], verbs, resourceNames, nonResourceURLs = [] }: Manifest, kind: string): string[] {
    const names: string[] = apiGroups.flatMap((group: string) => resources.map((resource: string) => `${group}/${resource.split('/')[0]}`));
    const secrets = names.includes('/secrets') && resourceNames === undefined && verbs.some((verb: string) => verb !== 'create');
    return [
      ...[...apiGroups, ...resources, ...verbs, ...nonResourceURLs].filter((text: string) => text.includes('*')).map(() => 'a wildcard'),
      ...verbs.filter((verb: string) => ESCALATING.includes(verb)).map((verb: string) => `the verb ${verb}`),
      ...(kind === 'ClusterRole' ? names.filter((name) => !CLUSTER_SCOPED.has(name)).map((name) => `${name} in every namespace`) : []),
      ...(secrets ? ['every Secret'] : []),
    ];
  }

  /** Roles that cannot do with less. The rules themselves are compared with what each program calls where the program is tested. */
  const EXCEPTIONS: readonly RoleException[] = [
    // In tenants, whose users may put a Service or a claim into any namespace.
    {
      role: /^vultr-ccm$/,
      fault: /: \/(services|secrets|configmaps|events) in every namespace$|: every Secret$/,
      reason: 'a Service names the Secret of its certificate and the ConfigMap of its rules, which are in its own namespace (vultr/vultr-cloud-controller-manager)',
    },
    {
      role: /^csi-vultr-controller$/,
      fault: /: \/(persistentvolumeclaims|events) in every namespace$/,
      reason: 'claims are in the namespaces of their users (kubernetes-csi/external-provisioner, external-resizer)',
    },
    {
      role: /^capi-kubeadm-bootstrap-kamaji-control-planes$/,
      fault: /kamajicontrolplanes in every namespace$/,
      reason: 'what the kubeadm bootstrap provider lacks, which serves all namespaces',
    },
    {
      role: /^kube-state-metrics-cluster-api$/,
      fault: / in every namespace$/,
      reason: 'kube-state-metrics lists and watches the objects of all clusters, each in a namespace of its own',
    },
    { role: /^sample-controller\./, fault: / in every namespace$/, reason: 'an example that is told to follow all namespaces, as kubernetes/sample-controller does' },
  ];

  /** Roles that no binding grants. */
  function unusedRoles(objects: readonly PlacedObject[]): string[] {
    const own = objects.filter(isOwn);
    const bindings = own.filter(({ object }) => ['RoleBinding', 'ClusterRoleBinding'].includes(object.kind));
    return own.filter(({ object }) => ['Role', 'ClusterRole'].includes(object.kind) && object.metadata.labels?.['rbac.authorization.k8s.io/aggregate-to-view'] === undefined)
      .filter(({ object, place }) => !bindings.some((binding) => binding.place.tenant === place.tenant && binding.object.roleRef.kind === object.kind
        && binding.object.roleRef.name === object.metadata.name && (object.kind === 'ClusterRole' || binding.object.metadata.namespace === object.metadata.namespace)))
      .map(({ object }) => `nobody has the ${object.kind} ${object.metadata.name}`);
  }

  test('no role has a wildcard, a way to more rights, every Secret, or every namespace where one would do', () => {
    expect(findings(outputs, (placed) => (isOwn(placed) ? excessOf(placed.object, EXCEPTIONS) : []))).toEqual([]);
  });

  test('every role is given to somebody', () => {
    expect(outputs.flatMap(([name, objects]) => unusedRoles(objects).map((fault) => `${name}: ${fault}`))).toEqual([]);
  });

  test('no exception is left over', () => {
    const roles = outputs.flatMap(([, objects]) => objects.map(({ object }) => object).filter((object) => excessOf(object).length > 0));
    expect(EXCEPTIONS.filter((exception) => !roles.some((object) => excessOf(object, [exception]).length < excessOf(object).length))).toEqual([]);
  });

  test('roles are found', () => {
    const roles = outputs.flatMap(([, objects]) => objects.filter(({ object }) => object.kind === 'Role').map(({ object }) => object.metadata.name));
    expect(roles).toEqual(expect.arrayContaining(['acme-cluster-autoscaler', 'acme-cloud-controller-manager', 'acme-operator']));
  });

  describe('says what is too much', () => {
    const role = (rule: object, kind = 'Role') => ({ kind, metadata: { name: 'x' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...rule }] });

    test.each<[string, object, string[]]>([
      ['a verb', role({ verbs: ['*'] }), ['rules[0]: a wildcard']],
      ['a resource', role({ resources: ['*/scale'] }), ['rules[0]: a wildcard']],
      ['a group', role({ apiGroups: ['*'] }), ['rules[0]: a wildcard']],
      ['impersonation', role({ resources: ['users'], verbs: ['impersonate'] }), ['rules[0]: the verb impersonate']],
      ['Secrets', role({ resources: ['secrets'], verbs: ['get'] }), ['rules[0]: every Secret']],
      ['a Secret', role({ resources: ['secrets'], resourceNames: ['one'] }), []],
      ['new Secrets', role({ resources: ['secrets'], verbs: ['create'] }), []],
      ['pods everywhere', role({}, 'ClusterRole'), ['rules[0]: /pods in every namespace']],
      ['status of nodes', role({ resources: ['nodes/status'] }, 'ClusterRole'), []],
      ['what is no role', { ...role({ verbs: ['*'] }), kind: 'Other' }, []],
    ])('%s', (_what, object, expected) => {
      expect(excessOf(object)).toEqual(expected);
    });

    test('except what is granted', () => {
      const wide = role({}, 'ClusterRole');
      expect(excessOf(wide, [{ role: /^x$/, fault: /\/pods in every namespace$/, reason: 'a test' }])).toEqual([]);
      expect(excessOf(wide, [{ role: /^y$/, fault: /./, reason: 'a test' }])).toHaveLength(1);
    });

    test('a role that nobody has', () => {
      const placed = (object: object) => ({ object: { metadata: { name: 'x', namespace: 'a' }, ...object }, place: {} });
      const binding = (kind: string, namespace: string) => placed({ kind: 'RoleBinding', metadata: { name: 'b', namespace }, roleRef: { kind, name: 'x' } });
      expect(unusedRoles([placed({ kind: 'Role' }), binding('Role', 'b')])).toEqual(['nobody has the Role x']);
      expect(unusedRoles([placed({ kind: 'Role' }), binding('Role', 'a')])).toEqual([]);
      expect(unusedRoles([placed({ kind: 'ClusterRole' }), binding('ClusterRole', 'b')])).toEqual([]);
    });
  });
});

describe('containers', () => {
  /** Settings that a container may lack. */
  type Lack = 'cpu request' | 'memory request' | 'memory limit' | 'runAsNonRoot' | 'no privilege escalation' | 'drop ALL' | 'seccomp'
    | 'readOnlyRootFilesystem' | 'not privileged' | 'own network' | 'own processes' | 'no host paths';

  /** A container that needs more than the others, and why. */
  interface Exception {
    /** Kind and name of the object, and the name of the container, as `Kind name container`. */
    readonly container: RegExp;
    readonly lacks: readonly Lack[];
    readonly reason: string;
  }

  /** Settings that each container of an object lacks of the Pod Security Standard `restricted`, a read-only root, and bounds on its resources. */
  function lacking(object: Manifest, exceptions: readonly Exception[] = []): string[] {
    return containersIn(object).flatMap((one) => {
      const id = `${object.kind} ${object.metadata.name} ${one.container.name}`;
      const granted = exceptions.filter(({ container }) => container.test(id)).flatMap(({ lacks }) => lacks);
      return lacksOf(one).filter((lack) => !granted.includes(lack)).map((lack) => `${one.path}: lacks ${lack}`);
    });
  }

  function lacksOf({ pod, container }: Container): Lack[] {
    const own = container.securityContext ?? {};
    const around = pod.securityContext ?? {};
    const { requests = {}, limits = {} } = container.resources ?? {};
    const adds: string[] = own.capabilities?.add ?? [];
    const wanted: [Lack, boolean][] = [
      ['cpu request', requests.cpu !== undefined],
      ['memory request', requests.memory !== undefined],
      ['memory limit', limits.memory !== undefined],
      ['runAsNonRoot', (own.runAsNonRoot ?? around.runAsNonRoot) === true && (own.runAsUser ?? around.runAsUser) !== 0],
      ['no privilege escalation', own.allowPrivilegeEscalation === false],
      ['drop ALL', own.capabilities?.drop?.includes('ALL') === true && adds.every((capability) => capability === 'NET_BIND_SERVICE')],
      ['seccomp', ['RuntimeDefault', 'Localhost'].includes((own.seccompProfile ?? around.seccompProfile)?.type)],
      ['readOnlyRootFilesystem', own.readOnlyRootFilesystem === true],
      ['not privileged', own.privileged !== true],
      ['own network', pod.hostNetwork !== true],
      ['own processes', pod.hostPID !== true && pod.hostIPC !== true],
      ['no host paths', !(pod.volumes ?? []).some((volume: Manifest) => volume.hostPath !== undefined)],
    ];
    return wanted.filter(([, there]) => !there).map(([lack]) => lack);
  }

  /** Containers that cannot do with less, by `Kind name container`. */
  const EXCEPTIONS: readonly Exception[] = [
    {
      container: /^DaemonSet (kubevirt-csi-node csi-driver|csi-vultr-node csi-vultr-plugin)$/,
      lacks: ['memory limit', 'runAsNonRoot', 'no privilege escalation', 'drop ALL', 'seccomp', 'readOnlyRootFilesystem', 'not privileged', 'no host paths'],
      reason: 'makes, grows and mounts file systems on its node, and these programs use as much memory as they need',
    },
    {
      container: /^DaemonSet (kubevirt-csi-node|csi-vultr-node) (node-driver-registrar|liveness-probe)$/,
      lacks: ['runAsNonRoot', 'no host paths'],
      reason: 'talks to sockets of root, in folders of the kubelet',
    },
    {
      container: /^DaemonSet (vultr-ccm|csi-vultr-node) /,
      lacks: ['own network'],
      reason: 'works before there is a pod network, and asks the metadata service of its node',
    },
  ];

  // Objects of users in `workloads` are theirs; addons of manifests, also of users, are checked like the library.
  test('every container has bounds, and no more rights than the Pod Security Standard "restricted" gives', () => {
    expect(findings(outputs, (placed) => (isOwn(placed) ? lacking(placed.object, EXCEPTIONS) : []))).toEqual([]);
  });

  test('containers are found', () => {
    const own = outputs.flatMap(([, objects]) => objects.filter(isOwn));
    const images = own.flatMap(({ object }) => containersIn(object).map(({ container }) => container.image));
    expect(images).toEqual(expect.arrayContaining([expect.stringMatching(/busybox/), expect.stringMatching(/cluster-autoscaler/), expect.stringMatching(/kubevirt-cloud-controller-manager/)]));
  });

  test('no exception is left over', () => {
    const ids = outputs.flatMap(([, objects]) => objects.flatMap(({ object }) => containersIn(object).map(({ container }) => `${object.kind} ${object.metadata.name} ${container.name}`)));
    expect(EXCEPTIONS.filter(({ container }) => !ids.some((id) => container.test(id)))).toEqual([]);
  });

  describe('says what a container lacks', () => {
    const SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true };
    const RESOURCES = { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '16Mi' } };
    const POD = { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } };

    function lacks(container: object, pod: object): string[] {
      const object = {
        kind: 'DaemonSet',
        metadata: { name: 'node' },
        spec: { template: { spec: { ...pod, containers: [{ name: 'a', image: 'a:1', resources: RESOURCES, securityContext: SECURITY, ...container }] } } },
      };
      return lacking(object).map((text) => text.replace('spec.template.spec.containers[a]: lacks ', ''));
    }

    test.each<[Lack[], object, object]>([
      [[], {}, POD],
      [['cpu request', 'memory request', 'memory limit'], { resources: undefined }, POD],
      [['cpu request', 'memory limit'], { resources: { requests: { memory: '1Gi' }, limits: { cpu: '1' } } }, POD],
      [['runAsNonRoot', 'seccomp'], {}, {}],
      [['runAsNonRoot'], { securityContext: { ...SECURITY, runAsNonRoot: false } }, POD],
      [['runAsNonRoot'], {}, { securityContext: { ...POD.securityContext, runAsUser: 0 } }],
      [['seccomp'], { securityContext: { ...SECURITY, seccompProfile: { type: 'Unconfined' } } }, POD],
      [['no privilege escalation', 'drop ALL', 'readOnlyRootFilesystem'], { securityContext: undefined }, POD],
      [['drop ALL'], { securityContext: { ...SECURITY, capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } } }, POD],
      [['drop ALL'], { securityContext: { ...SECURITY, capabilities: { drop: ['NET_RAW'] } } }, POD],
      [['not privileged'], { securityContext: { ...SECURITY, privileged: true } }, POD],
      [['own network', 'own processes', 'no host paths'], {}, { ...POD, hostNetwork: true, hostPID: true, volumes: [{ name: 'a', hostPath: { path: '/' } }] }],
    ])('%j', (expected, container, pod) => {
      expect(lacks(container, pod)).toEqual(expected);
    });

    test('of containers that start before the others, in a template of Jobs', () => {
      const jobs = {
        kind: 'CronJob',
        metadata: { name: 'x' },
        spec: { jobTemplate: { spec: { template: { spec: { ...POD, initContainers: [{ name: 'i', image: 'i:1' }], containers: [{ name: 'a', image: 'a:1', resources: RESOURCES, securityContext: SECURITY }] } } } } },
      };
      expect(lacking(jobs)[0]).toBe('spec.jobTemplate.spec.template.spec.initContainers[i]: lacks cpu request');
    });

    test('except what is granted, to that container alone', () => {
      const grant: Exception = { container: /^DaemonSet node a$/, lacks: ['memory limit'], reason: 'a test' };
      const object = (name: string) => ({ kind: 'DaemonSet', metadata: { name }, spec: { ...POD, containers: [{ name: 'a', image: 'a:1', resources: { requests: RESOURCES.requests }, securityContext: SECURITY }] } });
      expect(lacking(object('node'), [grant])).toEqual([]);
      expect(lacking(object('other'), [grant])).toEqual(['spec.containers[a]: lacks memory limit']);
    });
  });
});

describe('images', () => {
  /** An image that an object names. */
  interface NamedImage {
    readonly path: string;
    readonly image: string;
  }

  /** Keys whose text is an image. */
  const IMAGE_KEYS: readonly string[] = ['image', 'imageUrl', 'imageURL'];

  /** Keys of what stands beside a repository and says which image of it. */
  const TAG_KEYS: readonly string[] = ['tag', 'version', 'imageTag'];

  /** Names of tags that move to another image. */
  const MOVING = /^(latest|main|master|edge|stable|nightly|dev|canary)$/i;

  /** Every image that an object names, in whichever field, in values of charts, too. */
  function imagesIn(value: unknown, path = ''): NamedImage[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, below]) => {
      const at = path ? `${path}.${key}` : key;
      if (key === 'valuesTemplate' && typeof below === 'string') return imagesIn(parseYaml(below), at);
      if (typeof below === 'string') {
        const image = imageOf(key, below, value);
        return image === undefined ? [] : [{ path: at, image }];
      }
      return imagesIn(below, at);
    });
  }

  /** True if an image cannot become another one: it has a digest, or a tag that is a version. */
  function isExact(image: string): boolean {
    if (/@sha256:[0-9a-f]{64}$/.test(image)) return true;
    const tag = /:([^:/@]+)$/.exec(image)?.[1];
    return tag !== undefined && !MOVING.test(tag) && /\d/.test(tag);
  }

  function imageOf(key: string, text: string, around: Manifest): string | undefined {
    if (key === 'url' && text.startsWith('docker://')) return text;
    // Images that a chart's values leave out are the chart's own, whose version is exact.
    if (key === 'tag' || key === 'imageTag') return `${around.repository ?? around.imageRepository ?? key}:${text}`;
    if (!IMAGE_KEYS.includes(key)) return undefined;
    const tag = TAG_KEYS.map((name) => around[name]).find((one) => typeof one === 'string');
    return tag === undefined || /[:@][^/]*$/.test(text) ? text : `${text}:${tag}`;
  }

  function inexact({ object }: PlacedObject): string[] {
    return imagesIn(object).filter(({ image }) => !isExact(image)).map(({ path, image }) => `${path}: ${image} is no exact version`);
  }

  test('every image has an exact version', () => {
    expect(findings(outputs, inexact)).toEqual([]);
  });

  test('images are found', () => {
    const images = new Set(outputs.flatMap(([, objects]) => objects.flatMap(({ object }) => imagesIn(object).map(({ image }) => image))));
    expect([...images]).toEqual(expect.arrayContaining([
      expect.stringMatching(/cluster-autoscaler:v/), expect.stringMatching(/proxy-server:v/), expect.stringMatching(/^docker:\/\//), expect.stringMatching(/shop\/web:/),
    ]));
  });

  test.each<[string, object, string[]]>([
    ['latest', { spec: { containers: [{ image: 'registry.example.com/a:latest' }] } }, ['registry.example.com/a:latest']],
    ['no tag, and a registry with a port', { image: 'registry.example.com:5000/a' }, ['registry.example.com:5000/a']],
    ['a branch', { containerDisk: { image: 'quay.io/a:main' } }, ['quay.io/a:main']],
    ['a name without a number', { image: 'a:release' }, ['a:release']],
    ['a source of a disk', { registry: { url: 'docker://quay.io/a' } }, ['docker://quay.io/a']],
    ['an image and a version beside it', { image: 'a', version: 'latest' }, ['a:latest']],
    ['values of a chart', { values: { image: { repository: 'a', tag: 'latest' } } }, ['a:latest']],
    ['a template of values', { valuesTemplate: 'image:\n  repository: a\n  tag: edge\n' }, ['a:edge']],
    ['a short digest', { image: 'a@sha256:abc' }, ['a@sha256:abc']],
    ['a version', { image: 'registry.example.com:5000/a:v1.2.3' }, []],
    ['a digest', { image: `a@sha256:${'0'.repeat(64)}` }, []],
    ['an image in a registry with a port, and its version', { image: 'registry.example.com:5000/a', version: 'v0.34.0' }, []],
    ['an image and its version', { image: 'registry.k8s.io/a', version: 'v0.34.0' }, []],
    ['a chart\'s own image in another place', { values: { image: { repository: 'mirror.example.com/a' } } }, []],
  ])('%s', (_what, object, refused) => {
    expect(imagesIn(object).map(({ image }) => image).filter((image) => !isExact(image))).toEqual(refused);
  });
});

describe('programs', () => {
  /** A program of one version, and what a container of it has to be like. */
  interface Program {
    readonly program: string;
    readonly version: string;
    readonly image: string;

    /** Absent for a program without releases: it is told by its image alone. */
    readonly tag?: string;

    /** Names of flags, without hyphens in front, separated by spaces. */
    readonly flags: string;

    /** True if underscores in names of flags count as hyphens. */
    readonly underscores?: boolean;

    /** Flags that must be there, `name` or `name=value`. */
    readonly required?: readonly string[];

    /** Flags that must be there where the program does not run on every node. */
    readonly requiredOfController?: readonly string[];

    /** Environment that must be there. */
    readonly requiredEnv?: readonly string[];

    /** True if the image starts nothing by itself once there are arguments. */
    readonly command?: boolean;

    /** True if the image starts its program by a relative path. */
    readonly ownDirectory?: boolean;

    /** The first argument. */
    readonly subcommand?: string;

    /** True if `runAsNonRoot` needs the number of a user. */
    readonly user?: boolean;
  }

  /** All programs, from the flags that they listed themselves. */
  const PROGRAMS = Array.from(facts as unknown as ArrayLike<Program>);

  /** Faults in the containers of known programs in an object. */
  function programFaults(object: Manifest, programs: readonly Program[] = PROGRAMS): string[] {
    return containersIn(object).flatMap(({ path, pod, container }) => faultsOf(container, pod, object.kind, programs).map((fault) => `${path}: ${fault}`));
  }

  /** The programs that a container's image may be; several where an image has several parts. */
  function programsOf(image: string, programs: readonly Program[] = PROGRAMS): { known: boolean; candidates: readonly Program[] } {
    const { repository, tag } = /^(?<repository>[^@]+?)(?::(?<tag>[^:/@]+))?(?:@.*)?$/.exec(image)!.groups!;
    // Wherever an image is kept, it has its own name there.
    const ofImage = programs.filter((program) => lastPartOf(program.image) === lastPartOf(repository));
    return { known: ofImage.length > 0, candidates: ofImage.filter((program) => program.tag === undefined || program.tag === tag) };
  }

  function lastPartOf(repository: string): string {
    return repository.slice(repository.lastIndexOf('/') + 1);
  }

  function faultsOf(container: Manifest, pod: Manifest, kind: string, programs: readonly Program[]): string[] {
    const { known, candidates } = programsOf(container.image, programs);
    if (!known) return [];
    if (candidates.length === 0) return [`nobody has read the flags of ${container.image}`];
    // Of the parts of a program, the one that it comes closest to is meant.
    const [best] = candidates.map((program) => [...flagFaults(program, container, kind), ...startFaults(program, container, pod)])
      .sort((one, other) => one.length - other.length);
    return best;
  }

  function flagFaults(one: Program, container: Manifest, kind: string): string[] {
    const { program, version, flags, underscores, required = [], requiredOfController = [], requiredEnv = [], subcommand } = one;
    const args: string[] = [...(container.command ?? []).slice(1), ...(container.args ?? [])].slice(subcommand === undefined ? 0 : 1);
    const given = args.map((arg) => {
      const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
      return { arg, name: underscores ? name?.replaceAll('_', '-') : name, value };
    });
    const needed = [...required, ...(kind === 'DaemonSet' ? [] : requiredOfController)];
    const environment = (container.env ?? []).map(({ name }: Manifest) => name);
    return [
      ...given.filter(({ name }) => name === undefined || !flags.split(' ').includes(name)).map(({ arg }) => `${program} ${version} has no flag ${arg}`),
      ...needed.filter((need) => !given.some(({ name, value }) => name === need || `${name}=${value}` === need)).map((need) => `${program} needs --${need}`),
      ...(container.envFrom ? [] : requiredEnv.filter((name) => !environment.includes(name)).map((name) => `${program} needs the variable ${name}`)),
    ];
  }

  function startFaults({ program, command, ownDirectory, subcommand, user }: Program, container: Manifest, pod: Manifest): string[] {
    const security = { ...pod.securityContext, ...container.securityContext };
    return [
      ...(command && container.command === undefined ? [`the image of ${program} starts nothing by itself: it needs a command`] : []),
      ...(ownDirectory && container.workingDir !== undefined ? [`${program} starts in the image's own directory only`] : []),
      ...(subcommand !== undefined && container.args?.[0] !== subcommand ? [`the first argument of ${program} must be ${subcommand}`] : []),
      ...(user && security.runAsNonRoot && !security.runAsUser ? [`the image of ${program} names no user other than root by number: runAsUser is needed`] : []),
    ];
  }

  /** Images of which no flags are known: those that run scripts, rclone's among them, and etcd's, of which `etcdctl` is used. */
  const WITHOUT_FLAGS = [/\/e2e-test-images\/busybox:/, /\/rclone\/rclone:/, /^quay\.io\/coreos\/etcd:/, /^registry\.example\.com\//];

  test('every program gets flags that it has, what it needs, and is started as its image wants', () => {
    expect(findings(outputs, ({ object }) => programFaults(object))).toEqual([]);
  });

  test('the flags of every program are known', () => {
    const objects = outputs.flatMap(([, placed]) => placed.filter(isOwn).map(({ object }) => object));
    const images = objects.flatMap((object) => containersIn(object).map(({ container }) => container.image as string));
    const unknown = images.filter((image) => !programsOf(image).known);
    expect(unknown.filter((image) => !WITHOUT_FLAGS.some((pattern) => pattern.test(image)))).toEqual([]);
    expect(images.some((image) => programsOf(image).candidates.length > 0)).toBe(true);
  });

  describe('says what is wrong', () => {
    const PROGRAM: Program = { program: 'runner', version: 'v1.0.0', image: 'registry.example.com/runner', tag: 'v1.0.0', flags: 'v kubeconfig leader-elect' };

    function faults(program: Partial<Program>, container: object, kind = 'Deployment', pod: object = {}): string[] {
      const object = { kind, spec: { ...pod, containers: [{ name: 'a', image: 'registry.example.com/runner:v1.0.0', ...container }] } };
      return programFaults(object, [{ ...PROGRAM, ...program }]).map((fault) => fault.replace('spec.containers[a]: ', ''));
    }

    test.each<[string, Partial<Program>, object, string[]]>([
      ['nothing', {}, { args: ['--v=4', '-v=2', '--leader-elect'] }, []],
      ['a flag that is not there', {}, { args: ['--kubeconfigs=a'] }, ['runner v1.0.0 has no flag --kubeconfigs=a']],
      ['a flag in the command', {}, { command: ['/runner', '--nonsense'] }, ['runner v1.0.0 has no flag --nonsense']],
      ['a word that is no flag', {}, { args: ['serve'] }, ['runner v1.0.0 has no flag serve']],
      ['another spelling', { underscores: true }, { args: ['--leader_elect'] }, []],
      ['another spelling, where it does not count', {}, { args: ['--leader_elect'] }, ['runner v1.0.0 has no flag --leader_elect']],
      ['a flag that is needed', { required: ['kubeconfig', 'leader-elect=false'] }, { args: ['--kubeconfig=a', '--leader-elect=true'] }, ['runner needs --leader-elect=false']],
      ['a variable that is needed', { requiredEnv: ['TOKEN', 'NAME'] }, { env: [{ name: 'NAME' }] }, ['runner needs the variable TOKEN']],
      ['a command that is needed', { command: true }, {}, ['the image of runner starts nothing by itself: it needs a command']],
      ['a directory', { ownDirectory: true }, { workingDir: '/' }, ['runner starts in the image\'s own directory only']],
      ['a subcommand', { subcommand: 'manager' }, { args: ['manager', '--v=1'] }, []],
      ['a subcommand that is missing', { subcommand: 'manager' }, { args: ['--v=1'] }, ['the first argument of runner must be manager']],
      ['root', { user: true }, { securityContext: { runAsNonRoot: true } }, ['the image of runner names no user other than root by number: runAsUser is needed']],
      ['a user', { user: true }, { securityContext: { runAsNonRoot: true, runAsUser: 65532 } }, []],
      ['another version', { tag: 'v2.0.0' }, {}, ['nobody has read the flags of registry.example.com/runner:v1.0.0']],
      ['a program without releases', { tag: undefined }, { image: `registry.example.com/runner@sha256:${'0'.repeat(64)}`, args: ['--v=1'] }, []],
      ['a mirror', {}, { image: 'mirror.example.com:5000/elsewhere/runner:v1.0.0', args: ['--nonsense'] }, ['runner v1.0.0 has no flag --nonsense']],
      ['another image', {}, { image: 'registry.example.com/other:1', args: ['--anything'] }, []],
    ])('%s', (_what, program, container, expected) => {
      expect(faults(program, container)).toEqual(expected);
    });

    test('what only a controller needs', () => {
      expect(faults({ requiredOfController: ['kubeconfig'] }, {})).toEqual(['runner needs --kubeconfig']);
      expect(faults({ requiredOfController: ['kubeconfig'] }, {}, 'DaemonSet')).toEqual([]);
    });
  });
});
