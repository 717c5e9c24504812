import { KUBEVIRT_MACHINE_TEMPLATE } from './rules/kubevirt-objects';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { Effect } from '../../rules/changes/effects';
import { ComponentFacts, ComponentUpgrade, stepFault, UpgradeEffect, upgradeText } from '../../rules/components';
import { changedText } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { listAt, stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';
import { parseSemanticVersion } from '../../values/semantic-version';

/** Cluster API's provider for KubeVirt. */
export const KUBEVIRT_RELEASE: ProviderRelease = {
  kind: 'InfrastructureProvider',
  name: 'kubevirt',
  image: 'quay.io/capk/capk-manager',
  // kubernetes-sigs/cluster-api-provider-kubevirt metadata.yaml, v0.11.2
  onlyV1Beta1: /^v0\.(?:\d|1[01])\./,
};

const TITLE = 'KubeVirt';
const CDI_TITLE = 'CDI';
const KUBEVIRT_RELEASES = 'https://github.com/kubevirt/kubevirt/releases/download/';
const CDI_RELEASES = 'https://github.com/kubevirt/containerized-data-importer/releases/download/';

/**
 * Effects of another release of KubeVirt: machines run on, in pods of the older virt-launcher. `workloadUpdateMethods` decides which of them
 * move to the newer one. Those that cannot migrate stay, unless `Evict` is among the methods.
 *
 * Source: kubevirt/kubevirt pkg/virt-controller/watch/workload-updater/workload-updater.go (getUpdateData), v1.9.0.
 */
function kubevirtEffect({ from }: ComponentUpgrade, now: ManifestIndex): UpgradeEffect {
  const methods = now.all('kubevirt.io/KubeVirt').flatMap((object) => listAt(object, 'spec', 'workloadUpdateStrategy', 'workloadUpdateMethods'));
  const templates = now.all(KUBEVIRT_MACHINE_TEMPLATE);
  const moving = methods.includes('LiveMigrate') ? templates.filter(mayMigrate) : [];
  const others = templates.filter((template) => !moving.includes(template));
  const moved = moving.length === 0 ? [] : [`machines of ${templateNames(moving)} move to another host by live migration, where KubeVirt can migrate them`];
  if (methods.includes('Evict')) {
    return {
      effect: others.length === 0 ? Effect.LATER : Effect.MACHINES,
      notes: [...moved, ...others.length === 0 ? [] : [`workloadUpdateMethods has Evict: machines of ${templateNames(others)} are evicted, a batch at a time`]],
    };
  }
  return {
    effect: Effect.LATER,
    notes: [...moved, ...others.length === 0 ? [] : [`machines of ${templateNames(others)} stay on virt-launcher ${from} until they are replaced`]],
  };
}

function mayMigrate(template: ManifestObject): boolean {
  const strategy = stringAt(template, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'spec', 'template', 'spec', 'evictionStrategy');
  return strategy === 'LiveMigrate' || strategy === 'LiveMigrateIfPossible';
}

const MOST_NAMED = 5;

function templateNames(templates: readonly ManifestObject[]): string {
  const names = templates.map((template) => nameOf(template) ?? '').sort();
  return `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more templates` : ''}`;
}

function operatorYaml(address: string): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - ${address}\n`;
}

/** KubeVirt, its importer of disks, and Cluster API's provider for it. */
export const COMPONENTS: readonly ComponentFacts[] = [
  {
    title: TITLE,
    // Without it, KubeVirt is of the version of its operator (docs/updates.md).
    fields: { 'kubevirt.io/KubeVirt': ['spec', 'imageTag'] },
    images: ['kubevirt/virt-operator'],
    releases: [KUBEVIRT_RELEASES],
    upgrades: {
      id: 'TC-CHANGE-KUBEVIRT-RELEASE',
      title: 'KubeVirt must rise by one minor release at a time, and must not go back to an older one.',
      source: 'kubevirt.io/labs/kubernetes/lab3 (the supported scenario is updating from N-1 to N); kubevirt/kubevirt docs/updates.md',
      trap: true,
      example: changedText(operatorYaml(`${KUBEVIRT_RELEASES}v1.7.0/kubevirt-operator.yaml`), { 'v1.7.0': 'v1.9.0' }, { 'v1.7.0': 'v1.8.1' }),
      faultOf: (upgrade) => stepFault(TITLE, upgrade, { most: 1, insteadOfOlder: 'keep the newer release, or go to a newer patch of it' }),
    },
    effects: kubevirtEffect,
  },
  {
    title: CDI_TITLE,
    images: ['kubevirt/cdi-operator'],
    releases: [CDI_RELEASES],
    upgrades: {
      id: 'TC-CHANGE-CDI-RELEASE',
      title: 'CDI must not go back to an older release: its operator then reconciles nothing.',
      source: 'kubevirt/containerized-data-importer vendor/kubevirt.io/controller-lifecycle-operator-sdk/pkg/sdk/reconciler/versions.go (ShouldTakeUpdatePath)',
      trap: true,
      example: changedText(operatorYaml(`${CDI_RELEASES}v1.66.0/cdi-operator.yaml`), { 'v1.66.0': 'v1.65.0' }, { 'v1.66.0': 'v1.66.1' }),
      faultOf: (upgrade) => (isOlder(upgrade) ? {
        message: `${upgradeText(CDI_TITLE, upgrade)} goes back to an older release, and the operator reconciles nothing`, fix: 'keep the newer release',
      } : undefined),
    },
    effects: () => ({ effect: Effect.IN_PLACE, notes: ['its controllers restart; disks stay as they are'] }),
  },
  {
    title: 'KubeVirt provider',
    providers: [KUBEVIRT_RELEASE],
    effects: () => ({ effect: Effect.IN_PLACE, notes: ['its controllers restart; machines stay as they are'] }),
  },
];

function isOlder({ from, to }: ComponentUpgrade): boolean {
  const [old, next] = [from, to].map(parseSemanticVersion);
  if (!old || !next) return false;
  const at = (['major', 'minor', 'patch'] as const).find((part) => old[part] !== next[part]);
  return at !== undefined && next[at] < old[at];
}
