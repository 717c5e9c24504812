import { App, Chart } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { Rule } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { keepDefinitionsAndNamespaces } from '../app/synth/kept-objects';
import { constructsIn, onPrepare } from '../app/synth/synthesis';
import { addTenantChart } from '../app/tenant-trees';
import { ImagePass } from '../images/image-pass';

const DEPENDENCY_RULE: Rule = {
  id: 'TC-ADDON-DEPENDENCY',
  title: 'A chart of the tenant must not depend on a construct outside the tenant: another tool applies that one, in its own order.',
};

/**
 * Creates a chart whose objects go to the tenant. It is not in the tree of the management cluster, so that its objects are not in the files of
 * that cluster. Its problems are still reported.
 *
 * @param owner the construct of the user, for reported problems
 * @param id name of the chart
 * @param property prefix of the paths of properties, unless they belong to the owner
 */
export function tenantChart(owner: Construct, id: string, property?: string): Chart {
  const root = new App({ resolvers: App.of(owner).resolvers });
  const chart = new Chart(root, id, { disableResourceNameHashes: true });
  addTenantChart(chart, owner);
  Problems._reportAs(chart, owner, property);
  ImagePass.of(owner).watch(chart);
  onPrepare(owner, () => keepDefinitionsAndNamespaces(chart));
  owner.node.addValidation({
    validate: () => constructsIn(chart).flatMap((construct) => construct.node.validate().map((error) => `${error} (in ${construct.node.path})`)),
  });
  Problems.of(chart)._addCheck(() => outsideDependents(chart).map((construct) => ({
    rule: DEPENDENCY_RULE,
    message: `"${construct.node.path}" depends on constructs that do not go to the tenant, which has no effect`,
    fix: 'remove the dependency: what goes to a tenant is applied when its control plane is there',
  })));
  return chart;
}

/** Constructs of a chart that depend on constructs outside of it. */
function outsideDependents(chart: Chart): IConstruct[] {
  return constructsIn(chart).filter(({ node }) => node.dependencies.some((other) => other.node.root !== node.root));
}
