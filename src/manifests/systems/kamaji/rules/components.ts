import { controlPlaneExample } from './examples';
import { controlPlaneFields, PROVIDER_KINDS, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { DEPLOYMENT_BUILDER, PROVIDER_CRD, PROVIDER_RECONCILER, WEBHOOKS } from './sources';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkArguments, parseArgument } from '../../../values/component-arguments';
import { checkDnsLabel } from '../../../values/dns';
import { FieldPath, isSet, objectsAt, numberAt, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { parseSemanticVersion } from '../../../values/semantic-version';
import { DROPPED_FLAGS, KAMAJI_VOLUMES, KEPT_FLAGS } from '../control-plane-parts';

const PROGRAMS = { apiServer: 'kube-apiserver', controllerManager: 'kube-controller-manager', scheduler: 'kube-scheduler' } as const;
const COMPONENTS = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];

/** A placeholder that the tool that applies the manifest replaces. */
const TEMPLATE = /\{\{|\$\{/;

/** The older flags for one issuer of tokens. */
const OIDC_FLAGS: readonly string[] = [
  'oidc-ca-file', 'oidc-client-id', 'oidc-groups-claim', 'oidc-groups-prefix', 'oidc-issuer-url', 'oidc-required-claim',
  'oidc-signing-algs', 'oidc-username-claim', 'oidc-username-prefix',
];

const NEEDED_OIDC_FLAGS: readonly string[] = ['oidc-issuer-url', 'oidc-client-id'];

const probes: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-PROBES',
  title: 'Probes must be set for deployment, apiServer, controllerManager and scheduler, or for none: the provider drops all if one of the four has none.',
  source: PROVIDER_RECONCILER,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    probes:\n      startup: {failureThreshold: 30}\n',
    ['deployment', ...COMPONENTS].map((part) => `  ${part}:\n    probes:\n      startup: {failureThreshold: 30}\n`).join(''),
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const parts = ['deployment', ...COMPONENTS];
    const without = parts.filter((part) => !isSet(fields, part, 'probes'));
    return without.length === 0 ? [] : parts.filter((part) => !without.includes(part)).map((part) => ({
      path: [...path, part, 'probes'],
      message: `the provider drops the probes, since ${without.join(', ')} ${without.length === 1 ? 'has' : 'have'} none`,
      fix: 'give probes to all four, the same if need be',
    }));
  },
};

const addonImage: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ADDON-IMAGE',
  title: 'The tag of an addon\'s image requires a repository: it is ignored alone.',
  source: 'clastix/kamaji internal/resources/addons/coredns.go, internal/resources/kubeadm_utils.go',
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '    kubeProxy:\n      imageTag: v1.35.4\n',
    '    kubeProxy:\n      imageRepository: registry.k8s.io\n      imageTag: v1.35.4\n',
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    return ['coreDNS', 'kubeProxy'].flatMap((addon) => {
      const tag = stringAt(fields, 'addons', addon, 'imageTag');
      return tag === undefined || isSet(fields, 'addons', addon, 'imageRepository') ? [] : [{
        path: [...path, 'addons', addon, 'imageTag'],
        message: `Kamaji ignores the tag "${tag}", because there is no imageRepository beside it`,
        fix: `give imageRepository as well, such as "registry.k8s.io${addon === 'coreDNS' ? '/coredns' : ''}", or remove imageTag`,
      }];
    });
  },
};

const konnectivityReplicas: ManifestRule = {
  id: 'TC-ADMIT-KAMAJI-KONNECTIVITY-REPLICAS',
  title: 'Konnectivity agents must have replicas from 1 in mode Deployment, and no replicas in mode DaemonSet.',
  source: `${PROVIDER_CRD} (x-kubernetes-validations)`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  example: controlPlaneExample(
    '    konnectivity:\n      agent: {mode: DaemonSet, replicas: 2}\n',
    '    konnectivity:\n      agent: {mode: Deployment, replicas: 2}\n',
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const agent = ['addons', 'konnectivity', 'agent'];
    const [mode, replicas] = [stringAt(fields, ...agent, 'mode') ?? 'DaemonSet', numberAt(fields, ...agent, 'replicas')];
    if (replicas === undefined || (mode === 'DaemonSet' ? replicas === 0 : mode !== 'Deployment' || replicas >= 1)) return [];
    return [{
      path: [...path, ...agent, 'replicas'],
      message: `${replicas} agents are asked for in mode ${mode}`,
      fix: mode === 'DaemonSet' ? 'remove replicas, or set mode to Deployment' : 'ask for at least one, two for availability',
    }];
  },
};

const managedFlag: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-MANAGED-FLAG',
  title: 'Extra arguments must not be flags that Kamaji sets: Kamaji drops them silently, or the component does not work with another value.',
  source: DEPLOYMENT_BUILDER,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    extraArgs: [--tls-cert-file=/etc/acme/tls.crt]\n',
    '  apiServer:\n    extraArgs: [--tls-min-version=VersionTLS13]\n',
  ),
  check: (object) => COMPONENTS.flatMap((component) => argumentsOf(object, component).flatMap(([text, path]) => {
    const flag = parseArgument(text)?.name.replaceAll('_', '-') ?? '';
    const origin = DROPPED_FLAGS[component]?.get(flag);
    const reason = KEPT_FLAGS[component]?.get(flag);
    const message = origin === undefined ? reason && `--${flag} must keep Kamaji's value: ${reason}`
      : `Kamaji sets --${flag} itself${origin && `, by ${origin}`}, and the value here is lost`;
    return message === undefined ? [] : [{ path, message, fix: 'remove the argument' }];
  })),
};

const argument: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ARGUMENT',
  title: 'Each extra argument must have the form --flag=value, and its component must know the flag and be able to parse the value: it does not start otherwise.',
  source: `${DEPLOYMENT_BUILDER}, kubernetes/kubernetes cmd/{kube-apiserver,kube-controller-manager,kube-scheduler}/app/options`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  scheduler:\n    extraArgs: ["--v 4"]\n',
    '  scheduler:\n    extraArgs: [--v=4]\n',
  ),
  check: (object) => COMPONENTS.flatMap((component) => [...argumentsOf(object, component).flatMap(([text, path]) => (parseArgument(text) ? [] : [{
    path, message: `"${text}" is not one flag`, accepted: '"--flag=value"', fix: 'write it so, every flag in an entry of its own',
  }])), ...unknownArguments(object, component)]),
};

const oidc: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-OIDC',
  title: 'Flags that start with --oidc- need issuer and client, and exclude --authentication-config: the API server exits otherwise.',
  source: 'kubernetes.io/docs/reference/access-authn-authz/authentication (using authentication configuration), '
    + 'kubernetes/kubernetes pkg/kubeapiserver/options/authentication.go',
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    extraArgs: [--authentication-config=/etc/acme/config.yaml, --oidc-client-id=acme]\n',
    '  apiServer:\n    extraArgs: [--authentication-config=/etc/acme/config.yaml]\n',
  ),
  check: (object) => {
    const flags = argumentsOf(object, 'apiServer').flatMap(([text, path]) => {
      const { name, value } = parseArgument(text) ?? {};
      return name === undefined ? [] : [{ flag: name.replaceAll('_', '-'), isSet: value !== '', path }];
    });
    const own = flags.filter(({ flag }) => OIDC_FLAGS.includes(flag));
    if (flags.some(({ flag }) => flag === 'authentication-config')) {
      return own.map(({ flag, path }) => ({
        path, message: `the API server exits when --${flag} comes beside --authentication-config`, fix: 'move it into the file that --authentication-config names',
      }));
    }
    const missing = NEEDED_OIDC_FLAGS.filter((name) => !own.some(({ flag, isSet: given }) => flag === name && given)).map((name) => `--${name}`);
    return missing.length === 0 ? [] : own.slice(0, 1).map(({ path }) => ({
      path, message: `without ${missing.join(' and ')} the API server exits`, fix: `add ${missing.join(' and ')}, or remove all flags that start with --oidc-`,
    }));
  },
};

const volume: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-VOLUME',
  title: 'Names of extra volumes and containers of a control plane must be unique DNS labels, and mounts must name an existing volume.',
  source: `${WEBHOOKS}/tcp_deployment.go`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(`  apiServer:
    extraVolumeMounts: [{name: audit, mountPath: /etc/audit}]
`, `  apiServer:
    extraVolumeMounts: [{name: audit, mountPath: /etc/audit}]
  deployment:
    extraVolumes: [{name: audit, configMap: {name: audit}}]
`),
  check: checkVolumes,
};

/** The programs of a control plane. */
export const COMPONENT: readonly ManifestRule[] = [probes, addonImage, konnectivityReplicas, managedFlag, argument, oidc, volume];

/** Extra arguments of a component, each with its field. */
export function argumentsOf(object: ManifestObject, component: string): (readonly [string, FieldPath])[] {
  const { fields, path } = controlPlaneFields(object);
  const list = groupKind(object) === TENANT_CONTROL_PLANE ? ['controlPlane', 'deployment', 'extraArgs', component] : [component, 'extraArgs'];
  return stringsAt(fields, ...list).map(([text, index]) => [text, [...path, ...list, index]] as const);
}

function unknownArguments(object: ManifestObject, component: keyof typeof PROGRAMS): Finding[] {
  const { fields } = controlPlaneFields(object);
  const version = parseSemanticVersion(stringAt(fields, 'version') ?? stringAt(fields, 'kubernetes', 'version') ?? '');
  const judged = argumentsOf(object, component).flatMap(([text, path]) => {
    const parsed = TEMPLATE.test(text) ? undefined : parseArgument(text);
    return parsed ? [{ ...parsed, path }] : [];
  });
  return checkArguments(PROGRAMS[component], version && `${version.major}.${version.minor}`, judged)
    .map((finding) => ({ ...finding, path: judged[finding.path[0] as number].path }));
}

function checkVolumes(object: ManifestObject): readonly Finding[] {
  const tenant = groupKind(object) === TENANT_CONTROL_PLANE;
  const { fields, path } = controlPlaneFields(object);
  const deployment = tenant ? ['controlPlane', 'deployment'] : ['deployment'];
  const [volumes, containers, initContainers] = tenant
    ? ['additionalVolumes', 'additionalContainers', 'additionalInitContainers'] : ['extraVolumes', 'extraContainers', 'extraInitContainers'];
  const named = (list: readonly string[], taken: readonly string[]): Finding[] => {
    const seen = new Set(taken);
    return objectsAt(fields, ...list).flatMap(([item, index]) => {
      const name = stringAt(item, 'name');
      if (name === undefined) return [];
      const at = [...path, ...list, index, 'name'];
      const fault = checkDnsLabel(name);
      if (fault !== undefined) return [{ path: at, message: fault, fix: 'write a short name in lower case' }];
      if (seen.size < seen.add(name).size) return [];
      return [{ path: at, message: KAMAJI_VOLUMES.includes(name) ? `the name "${name}" belongs to Kamaji` : `the name "${name}" is there twice`, fix: 'choose another name' }];
    });
  };
  const declared = objectsAt(fields, ...deployment, volumes).flatMap(([item]) => stringAt(item, 'name') ?? []);
  const known = [...KAMAJI_VOLUMES, ...declared];
  const mounts = COMPONENTS.map((component) => (tenant ? [...deployment, 'additionalVolumeMounts', component] : [component, 'extraVolumeMounts']));
  return allOf(
    named([...deployment, volumes], KAMAJI_VOLUMES),
    named([...deployment, containers], []),
    named([...deployment, initContainers], []),
    mounts.flatMap((list) => objectsAt(fields, ...list).flatMap(([mount, index]) => {
      const name = stringAt(mount, 'name');
      return name === undefined || known.includes(name) ? [] : [{
        path: [...path, ...list, index, 'name'],
        message: `there is no volume "${name}"`,
        accepted: declared.length === 0 ? undefined : declared.map((one) => `"${one}"`).join(', '),
        fix: `declare it among the volumes of the deployment (${volumes})`,
      }];
    })),
  );
}
