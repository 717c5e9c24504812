import { App, Chart } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { ImagePass } from '../images/image-pass';
import { rewriteLike } from '../synth/manifest-rewrite';
import { Problems } from '../validation/problems';

const CHARTS = Symbol.for('cdk8s-cluster-api.TenantCharts');
const CARRIER = Symbol.for('cdk8s-cluster-api.TenantCarrier');

interface Owner extends IConstruct {
  [CHARTS]?: Chart[];
}

/**
 * A chart whose objects go to the tenant. It is no part of the tree of the management cluster, so that no file of that gets its
 * objects; what is wrong inside it is reported all the same.
 *
 * @param owner the construct that the user made, which problems are reported under
 * @param id name of the chart
 * @param property what the names of properties are below, if they are not the owner's own
 */
export function tenantChart(owner: Construct, id: string, property?: string): Chart {
  const chart = new Chart(new App({ resolvers: App.of(owner).resolvers }), id, { disableResourceNameHashes: true });
  Problems._reportAs(chart, owner, property);
  rewriteLike(chart, owner);
  ImagePass.of(owner).watch(chart);
  charts(owner).push(chart);
  owner.node.addValidation({
    validate: () => chart.node.findAll().flatMap((construct) => construct.node.validate().map((error) => `${error} (in ${construct.node.path})`)),
  });
  return chart;
}

/** The charts whose objects go to the tenant that a construct declares. */
export function tenantCharts(owner: IConstruct): readonly Chart[] {
  return (owner as Owner)[CHARTS] ?? [];
}

/** Says that an object carries the objects of such charts as text. */
export function markCarrier(object: IConstruct): void {
  Object.defineProperty(object, CARRIER, { value: true });
}

/** Whether an object carries the objects of such charts as text. */
export function isCarrier(object: IConstruct): boolean {
  return CARRIER in object;
}

function charts(owner: Owner): Chart[] {
  if (!owner[CHARTS]) Object.defineProperty(owner, CHARTS, { value: [] });
  return owner[CHARTS]!;
}
