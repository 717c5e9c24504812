import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ImagePass } from '../images/image-pass';
import { rewriteLike } from '../synth/manifest-rewrite';
import { Problems } from '../validation/problems';

/**
 * A chart whose objects go to the tenant. It is no part of the tree of the management cluster, so that no file of that gets its
 * objects; what is wrong inside it is reported all the same.
 *
 * @param owner the construct that the user made, which problems are reported under
 * @param id name of the chart
 */
export function tenantChart(owner: Construct, id: string): Chart {
  const chart = new Chart(new App({ resolvers: App.of(owner).resolvers }), id, { disableResourceNameHashes: true });
  Problems._reportAs(chart, owner);
  rewriteLike(chart, owner);
  ImagePass.of(owner).watch(chart);
  owner.node.addValidation({
    validate: () => chart.node.findAll().flatMap((construct) => construct.node.validate().map((error) => `${error} (in ${construct.node.path})`)),
  });
  return chart;
}
