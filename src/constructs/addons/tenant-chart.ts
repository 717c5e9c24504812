import { App, Chart } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { ADDON_RULES } from './rules';
import { Problems } from '../app/problems/problems';
import { noteTree } from '../app/synth/late-objects';
import { rewriteLike } from '../app/synth/manifest-rewrite';
import { constructsIn } from '../app/synth/synthesis';
import { ImagePass } from '../images/image-pass';

const CHARTS = Symbol.for('cdk8s-cluster-api.TenantCharts');
const ROOT = Symbol.for('cdk8s-cluster-api.TenantRoot');
const CARRIER = Symbol.for('cdk8s-cluster-api.TenantCarrier');

interface Owner extends IConstruct {
  [CHARTS]?: Chart[];
}

/**
 * A chart whose objects go to the tenant. It is not in the tree of the management cluster, so that its objects are not in the files of
 * that cluster. Its problems are still reported.
 *
 * @param owner the construct of the user, for reported problems
 * @param id name of the chart
 * @param property prefix of the paths of properties, unless they belong to the owner
 */
export function tenantChart(owner: Construct, id: string, property?: string): Chart {
  const root = new App({ resolvers: App.of(owner).resolvers });
  Object.defineProperty(root, ROOT, { value: true });
  const chart = new Chart(root, id, { disableResourceNameHashes: true });
  Problems._reportAs(chart, owner, property);
  rewriteLike(chart, owner);
  ImagePass.of(owner).watch(chart);
  charts(owner).push(chart);
  noteTree(root, owner);
  owner.node.addValidation({
    validate: () => constructsIn(chart).flatMap((construct) => construct.node.validate().map((error) => `${error} (in ${construct.node.path})`)),
  });
  Problems.of(chart)._addCheck(() => strangers(chart).map((construct) => ({
    rule: ADDON_RULES.dependency,
    message: `"${construct.node.path}" depends on constructs that do not go to the tenant, which has no effect`,
    fix: 'remove the dependency: what goes to a tenant is applied when its control plane is there',
  })));
  return chart;
}

/** Constructs of a chart that depend on others, which are written elsewhere. */
function strangers(chart: Chart): IConstruct[] {
  return constructsIn(chart).filter(({ node }) => node.dependencies.some((other) => other.node.root !== node.root));
}

/** The charts whose objects go to the tenant that a construct declares. */
export function tenantCharts(owner: IConstruct): readonly Chart[] {
  return (owner as Owner)[CHARTS] ?? [];
}

/** True if a construct is in such a chart, which the app of its owner validates and writes. */
export function isInTenantChart(construct: IConstruct): boolean {
  return ROOT in construct.node.root;
}

/** Marks an object that contains the objects of such charts as a string. */
export function markCarrier(object: IConstruct): void {
  Object.defineProperty(object, CARRIER, { value: true });
}

/** True if an object contains the objects of such charts as a string. */
export function isCarrier(object: IConstruct): boolean {
  return CARRIER in object;
}

function charts(owner: Owner): Chart[] {
  if (!owner[CHARTS]) Object.defineProperty(owner, CHARTS, { value: [] });
  return owner[CHARTS]!;
}
