import { FleetClusterFacts } from './fleet-cluster';
import { FleetProps } from './fleet-props';
import { FleetRing, isUsableVersion, RING_ORDER_RULE, RING_RULE } from './fleet-ring';
import { unknownName } from './fleet-selector';
import { LABELS, ListedCluster } from './listed-cluster';
import { readFlag, readString, ValueReader } from './value-reader';
import { checkDns1035Label, checkDnsLabel } from '../../../manifests/values/dns';
import { SUPPORTED_MINORS } from '../../../manifests/values/kubernetes-releases';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { checkLabels, checkLabelValue } from '../../../manifests/values/labels';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Hibernation } from '../../contracts/cluster-context';
import { Versions } from '../../contracts/versions';
import { checkVersion, checkVersions, CLUSTER_LABEL_RULE, CLUSTER_NAME_RULE, CLUSTER_NAMESPACE_RULE } from '../../tenant/cluster-checks';

/** The fixed fields of an entry. */
export interface FixedValues {
  /** The fields of the cluster; undefined if its name or its profile is missing. */
  readonly facts?: FleetClusterFacts;

  /** True if no value is a placeholder. */
  readonly sound: boolean;
  readonly problems: readonly Problem[];
}

const VERSION = 'kubernetesVersion';
const PLACEHOLDER_VERSION = `${SUPPORTED_MINORS[SUPPORTED_MINORS.length - 1]}.0`;

/** Reads the fixed fields of a cluster of a list. */
export function readFixedValues(listed: ListedCluster, fleet: FleetProps): FixedValues {
  return new FixedValuesReader(listed, fleet).read();
}

export const MISSING_RULE: Rule = {
  id: 'TC-FLEET-MISSING',
  title: 'A cluster must have a name, and each value that its profile reads without a default.',
};

export const VALUE_RULE: Rule = {
  id: 'TC-FLEET-VALUE',
  title: 'A value must have the type and the bounds that its profile reads it with.',
};

const PROFILE_RULE: Rule = {
  id: 'TC-FLEET-PROFILE',
  title: 'The profile of a cluster must exist.',
};

const VERSION_RULE: Rule = {
  id: 'TC-FLEET-VERSION',
  title: 'A cluster must have a Kubernetes version, set by itself or by its ring.',
};

export const LABEL_RULE: Rule = {
  id: 'TC-FLEET-LABEL',
  title: 'The label keys for region and ring must be valid, and regions and rings must be valid label values.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
};

class FixedValuesReader {
  private readonly problems: Problem[] = [];
  private readonly reader: ValueReader;

  public constructor(private readonly listed: ListedCluster, private readonly fleet: FleetProps) {
    this.reader = new ValueReader([listed.values]);
  }

  public read(): FixedValues {
    const identity = this.identity();
    const profile = this.profile();
    const { rings = [] } = this.fleet;
    const ring = this.ring(rings);
    const region = this.text('region');
    if (this.fleet.regionLabel !== undefined && region !== undefined) this.expect(LABEL_RULE, 'region', checkLabelValue(region), 'name the region so that it can be the value of a label');
    const version = this.version(rings, ring);
    const rest = {
      network: this.text('network'),
      labels: this.labels(),
      versions: this.versions(),
      decommission: this.reader.optional('decommission', readFlag) ?? false,
      hibernation: this.reader.optional('hibernation', (value) => readString(value, Object.values(Hibernation))) as Hibernation | undefined,
    };

    for (const { key, value, fault } of this.reader.refused) this.problems.push({ rule: VALUE_RULE, property: `${value.place()} ${key}`, ...fault });
    const sound = this.problems.length === 0 && version !== undefined && (ring === undefined || isUsableVersion(version));
    const isKnown = identity !== undefined && profile !== undefined && (rings.length === 0 || ring !== undefined);
    const kubernetesVersion = sound ? plainVersion(version) : PLACEHOLDER_VERSION;
    return {
      ...(isKnown && { facts: { ...identity, ...rest, profile, region, ring: ring?.name, kubernetesVersion } }),
      sound,
      problems: this.problems,
    };
  }

  private identity(): { readonly name: string; readonly namespace: string } | undefined {
    const name = this.text('name');
    if (name === undefined) {
      if (!this.listed.values.has('name')) {
        this.problems.push({ rule: MISSING_RULE, property: `${this.listed.place()} name`, message: 'the cluster has no name', fix: 'name it, or remove the entry' });
      }
      return undefined;
    }
    const namespace = this.text('namespace');
    const before = this.problems.length;
    this.expect(CLUSTER_NAME_RULE, 'name', checkDns1035Label(name), 'choose such a name');
    if (namespace !== undefined) this.expect(CLUSTER_NAMESPACE_RULE, 'namespace', checkDnsLabel(namespace), 'choose such a namespace');
    else if (this.problems.length === before) this.expect(CLUSTER_NAMESPACE_RULE, 'name', checkDnsLabel(defaultNamespace(name)), 'choose a shorter name, or say the namespace');
    return this.problems.length === before ? { name, namespace: namespace ?? defaultNamespace(name) } : undefined;
  }

  private profile(): string | undefined {
    const known = Object.keys(this.fleet.profiles);
    const given = this.text('profile');
    if (given !== undefined && !known.includes(given)) this.problems.push({ rule: PROFILE_RULE, property: this.at('profile'), ...unknownName('profile', given, known) });
    if (given === undefined && known.length !== 1) {
      this.problems.push({
        rule: PROFILE_RULE,
        property: this.at('profile'),
        message: 'the cluster has no profile, and only a fleet with exactly one profile has a default',
        accepted: known.map((name) => `"${name}"`).join(', '),
        fix: 'set the profile of the cluster',
      });
    }
    const profile = given ?? (known.length === 1 ? known[0] : undefined);
    return profile !== undefined && known.includes(profile) ? profile : undefined;
  }

  private ring(rings: readonly FleetRing[]): FleetRing | undefined {
    const given = this.text('ring');
    if (given === undefined) return rings[rings.length - 1];
    const ring = rings.find(({ name }) => name === given);
    if (!ring) this.problems.push({ rule: RING_RULE, property: this.at('ring'), ...unknownName('ring', given, rings.map(({ name }) => name)) });
    return ring;
  }

  private withoutVersion(): Problem {
    const near = nearestName(VERSION, [...this.listed.values.keys()]);
    return {
      rule: VERSION_RULE,
      property: this.at(VERSION),
      message: 'the cluster has no Kubernetes version, and the fleet no rings',
      fix: near === undefined ? 'set the version here, or add a ring to the fleet' : `did you mean ${VERSION} by "${near}"?`,
    };
  }

  /** The version of the cluster. The version of a ring is checked with the rings. */
  private version(rings: readonly FleetRing[], ring: FleetRing | undefined): string | undefined {
    const own = this.text(VERSION);
    if (own === undefined) {
      if (rings.length === 0 && !this.listed.values.has(VERSION)) this.problems.push(this.withoutVersion());
      return ring?.kubernetesVersion;
    }
    const faults = checkVersion(own).map((problem) => ({ ...problem, property: this.at('kubernetesVersion') }));
    this.problems.push(...faults);
    const [first] = rings;
    if (faults.length > 0 || !first || ring === first || !KubernetesVersion.isValid(first.kubernetesVersion)) return own;
    const most = KubernetesVersion.of(first.kubernetesVersion);
    if (KubernetesVersion.of(own).compare(most) > 0) {
      this.problems.push({
        rule: RING_ORDER_RULE,
        property: this.at('kubernetesVersion'),
        message: `the cluster would run ${KubernetesVersion.of(own)}, and ring "${first.name}", which comes first, runs ${most}`,
        accepted: `up to ${most}`,
        fix: `raise ring "${first.name}" first, or put the cluster into it`,
      });
    }
    return own;
  }

  private versions(): Versions | undefined {
    const catalog = this.text('versions');
    const versions = catalog === undefined ? undefined : Versions.of(catalog);
    this.problems.push(...checkVersions(versions).map((problem) => ({ ...problem, property: this.at('versions') })));
    return versions;
  }

  private labels(): { readonly [key: string]: string } {
    const labels: { [key: string]: string } = {};
    for (const key of this.listed.values.keys()) {
      const value = key.startsWith(LABELS) ? this.text(key) : undefined;
      if (value !== undefined) labels[key.slice(LABELS.length)] = value;
    }
    if (this.listed.values.has('labels')) {
      this.problems.push({ rule: VALUE_RULE, property: this.at('labels'), message: 'labels must be an object', accepted: 'a string for each key', fix: 'write "labels: {tier: gold}"' });
    }
    for (const { path: [key], message, fix } of checkLabels(labels)) this.expect(CLUSTER_LABEL_RULE, `${LABELS}${key}`, message, fix);
    return labels;
  }

  private text(key: string): string | undefined {
    return this.reader.optional(key, readString);
  }

  private expect(rule: Rule, key: string, message: string | undefined, fix: string): void {
    if (message !== undefined) this.problems.push({ rule, property: this.at(key), message, fix });
  }

  /** The place of a value, or of its entry if the value is missing. */
  private at(key: string): string {
    return `${(this.listed.values.get(key)?.place ?? this.listed.place)()} ${key}`;
  }
}

/** Removes the `v`: names of images and charts use both forms. */
function plainVersion(version: string): string {
  return version.replace(/^v/, '');
}

function defaultNamespace(name: string): string {
  return `tenant-${name}`;
}

/** True if the cluster is in the namespace that is the default for its name. */
export function isInDefaultNamespace({ name, namespace }: { readonly name: string; readonly namespace: string }): boolean {
  return namespace === defaultNamespace(name);
}
