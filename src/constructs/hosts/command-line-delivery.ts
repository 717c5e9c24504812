import { ApiObject, Duration, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { RequiredSecret } from './kubeadm-platform';
import { goDuration } from '../../manifests/values/go-duration';
import { Rule } from '../../manifests/values/problem';
import { NAMESPACES } from '../addons/addon-deliveries';
import { Problems } from '../app/problems/problems';
import { OutputFile } from '../app/synth/output-files';
import { Addon, AddonCapability } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { checkChart, refuseStorageNamespace, refuseValuesFrom } from '../contracts/delivery/chart-check';
import { ChartDelivery, Delivery, ManifestDelivery } from '../contracts/delivery/delivery';
import { DeliveryTarget } from '../contracts/delivery/delivery-target';
import { apiObjects, renderManifests } from '../contracts/delivery/tenant-manifests';
import { HelmChart, HelmCrdPolicy } from '../contracts/helm-chart';

/** Folder of the addons, beside those of hosts. */
export const ADDONS_FOLDER = 'addons';

/** One step of the installation: a chart, or manifests. */
export type InstallStep = ChartDelivery | ManifestDelivery;

/** The delivery inside the cluster. */
interface InsideDelivery {
  readonly delivery: Delivery;

  /** The cluster as a target: the delivery runs in it. */
  readonly target: DeliveryTarget;
}

const HELM_CHART_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-HELM',
  title: 'The Helm command needs packaged charts.',
  source: 'helm.sh/docs/helm/helm_upgrade',
};

/** Records the charts and manifests for Helm and kubectl, and passes them to the delivery inside the cluster. */
export class CommandLineDelivery extends Delivery {
  private readonly recorded: InstallStep[] = [];

  /**
   * @param inside the delivery inside the cluster, if any
   */
  public constructor(private readonly inside: InsideDelivery | undefined) {
    super();
  }

  /** The steps in the order of their names. */
  public steps(order: readonly string[]): readonly InstallStep[] {
    return order.flatMap((name) => this.recorded.filter((step) => step.name === name));
  }

  /** The objects of all manifests. */
  public get objects(): ApiObject[] {
    return this.recorded.flatMap((step) => ('manifests' in step ? apiObjects(step.manifests) : []));
  }

  public deliverChart(scope: Construct, delivery: ChartDelivery, _cluster: ClusterContext | DeliveryTarget): void {
    this.recorded.push(delivery);
    if (this.inside) this.inside.delivery.deliverChart(scope, delivery, this.inside.target);
    const problems = Problems.of(scope);
    [...refuseValuesFrom(delivery, 'the Helm command'), ...refuseStorageNamespace(delivery, 'the Helm command')].forEach((problem) => problems.add(problem));
    if (delivery.chart.gitPath === undefined) {
      // The delivery inside the cluster reports the same problem.
      if (!this.inside) checkChart(delivery, ['https', 'http', 'oci']).forEach((problem) => problems.add(problem));
      return;
    }
    problems.add({
      rule: HELM_CHART_RULE,
      property: `charts["${delivery.name}"].gitPath`,
      message: 'the Helm command cannot install a chart from a Git repository',
      fix: 'name a Helm repository or an OCI registry that holds the packaged chart',
    });
  }

  public deliverManifests(scope: Construct, delivery: ManifestDelivery, _cluster: ClusterContext | DeliveryTarget): void {
    this.recorded.push(delivery);
    if (this.inside) {
      this.inside.delivery.deliverManifests(scope, delivery, this.inside.target);
      return;
    }
    Problems.of(scope)._addCheck(() => [...renderManifests(delivery.manifests, `manifests["${delivery.name}"]`).problems]);
  }
}

/**
 * Sorts steps: namespaces, then the cloud controller manager and its dependencies, then the rest. Until the cloud controller manager runs,
 * nodes have a taint that repels other pods, and the script would wait for these forever.
 *
 * Source: kubernetes.io/docs/concepts/architecture/cloud-controller, kubernetes.io/docs/reference/labels-annotations-taints
 * (node.cloudprovider.kubernetes.io/uninitialized).
 *
 * @param steps the steps, in the order of their dependencies
 * @param addons the addons of the cluster
 */
export function installOrder(steps: readonly InstallStep[], addons: readonly Addon[]): InstallStep[] {
  const managers = addons.filter(({ provides }) => provides.includes(AddonCapability.CLOUD_CONTROLLER_MANAGER)).map(({ name }) => name);
  const first = (step: string) => step === NAMESPACES || managers.some((name) => step === name || step.startsWith(`${name}-`));
  const early = new Set(steps.map(({ name }) => name).filter(first));
  // The dependencies of a step come before it, so one pass from the end finds all of them.
  for (const step of [...steps].reverse()) {
    if (early.has(step.name)) step.after.names.forEach((name) => early.add(name));
  }
  return [...steps.filter(({ name }) => early.has(name)), ...steps.filter(({ name }) => !early.has(name))];
}

const DEFAULT_TIMEOUT = Duration.minutes(10);

interface NumberedStep {
  readonly step: InstallStep;
  readonly prefix: string;
}

/** Files that install the addons of a cluster: values and manifests by number, and a script that takes them in order. */
export function addonFiles(steps: readonly InstallStep[], secrets: readonly RequiredSecret[]): OutputFile[] {
  if (steps.length === 0) return [];
  const all = numbered(steps);
  return [
    ...all.flatMap(({ step, prefix }) => fileOf(step, prefix)),
    { path: 'install.sh', content: installAddons(all, secrets), executable: true },
  ];
}

/** The file of namespaces that need labels, and their names; undefined without any. */
export function namespaceFile(steps: readonly InstallStep[]): { readonly path: string; readonly namespaces: readonly string[] } | undefined {
  const { step, prefix } = numbered(steps).find(isNamespaces) ?? {};
  if (!step || prefix === undefined || !('manifests' in step)) return undefined;
  const { manifests } = renderManifests(step.manifests, step.name);
  return { path: manifestName(step, prefix), namespaces: manifests.map(({ metadata }) => `${metadata?.name}`) };
}

function numbered(steps: readonly InstallStep[]): NumberedStep[] {
  return steps.map((step, index) => ({ step, prefix: `${index + 1}`.padStart(2, '0') }));
}

function isNamespaces({ step }: NumberedStep): boolean {
  return 'manifests' in step && step.name === NAMESPACES;
}

function fileOf(step: InstallStep, prefix: string): OutputFile[] {
  if ('manifests' in step) {
    return [{ path: manifestName(step, prefix), content: Yaml.stringify(...renderManifests(step.manifests, step.name).manifests) }];
  }
  const { values } = step.chart;
  return values ? [{ path: valuesName(step, prefix), content: Yaml.stringify(values) }] : [];
}

function installAddons(steps: readonly NumberedStep[], secrets: readonly RequiredSecret[]): string {
  return `${[
    '#!/bin/sh',
    '# Installs the addons of the cluster that kubectl and Helm speak to, or brings them up to date.',
    'set -eu',
    'cd "$(dirname "$0")"',
    ...(steps.some(({ step }) => 'chart' in step && replacesCrds(step.chart)) ? ['', ...CRDS] : []),
    // These namespaces may contain Secrets.
    ...steps.filter(isNamespaces).flatMap(({ step, prefix }) => ['', ...commandsOf(step, prefix)]),
    ...(secrets.length > 0 ? ['', '# Without these the addons would never get ready.', ...secrets.map(({ namespace, name }) => `kubectl --namespace ${namespace} get secret ${name} > /dev/null`)] : []),
    ...steps.filter((step) => !isNamespaces(step)).flatMap(({ step, prefix }) => ['', ...commandsOf(step, prefix)]),
  ].join('\n')}\n`;
}

/** Helm makes definitions once, and never changes them. */
const CRDS = [
  '# Makes and replaces the definitions of a chart, which Helm itself leaves alone once they are there.',
  'definitions() {',
  '  found=$(helm show crds "$@")',
  '  if [ -n "$found" ]; then',
  '    printf \'%s\\n\' "$found" | kubectl apply --server-side --force-conflicts --filename -',
  '  fi',
  '}',
];

function commandsOf(step: InstallStep, prefix: string): string[] {
  if ('manifests' in step) return [`kubectl apply --server-side --force-conflicts --filename ${manifestName(step, prefix)}`];
  const { chart } = step;
  const source = sourceOf(chart);
  return [
    ...(replacesCrds(chart) ? [`definitions ${source}`] : []),
    [
      `helm upgrade --install ${chart.releaseName} ${source}`,
      `--namespace ${chart.namespace} --create-namespace`,
      ...(chart.values ? [`--values ${valuesName(step, prefix)}`] : []),
      ...(chart.crds === HelmCrdPolicy.CREATE ? [] : ['--skip-crds']),
      ...(chart.wait === false ? [] : ['--wait']),
      `--timeout ${goDuration(chart.timeout ?? DEFAULT_TIMEOUT)}`,
    ].join(' \\\n  '),
  ];
}

function sourceOf({ chart, repository, chartVersion }: HelmChart): string {
  return repository.startsWith('oci://') ? `${repository.replace(/\/$/, '')}/${chart} --version ${chartVersion}` : `${chart} --repo ${repository} --version ${chartVersion}`;
}

function replacesCrds({ crds = HelmCrdPolicy.CREATE_REPLACE }: HelmChart): boolean {
  return crds === HelmCrdPolicy.CREATE_REPLACE;
}

function manifestName({ name }: InstallStep, prefix: string): string {
  return `${prefix}-${name}.yaml`;
}

function valuesName({ name }: InstallStep, prefix: string): string {
  return `${prefix}-${name}.values.yaml`;
}
