import { Chart } from 'cdk8s';
import { checkControllerImage } from './controllers/controller-checks';
import { CONTAINER_SECURITY, POD_SECURITY } from './controllers/controller-container';
import { ManifestAddon } from './manifest-addon';
import { noSubstitution } from '../../manifests/objects/prune-annotations';
import { problemIf, Rule } from '../../manifests/values/problem';
import { isDataKey } from '../../manifests/values/secret-ref';
import { Problems } from '../app/problems/problems';
import { nameByContent } from '../app/synth/content-name';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { ClusterContext } from '../contracts/cluster-context';

/** Properties of `EncryptionRewrite`. */
export interface EncryptionRewriteProps {
  /** Name of the first key of the tenant's encryption: with another name everything is written again (`TC-ADDON-ENCRYPTION-REWRITE`). */
  readonly key: string;

  /** An image with `kubectl` and `sh`, by a tag or a digest (`TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`). */
  readonly image: string;

  /**
   * Resources in namespaces that are encrypted, as `resource` or `resource.group` (`TC-ADDON-ENCRYPTION-REWRITE`).
   *
   * @default ['secrets']
   */
  readonly resources?: string[];
}

const NAME = 'encryption-rewrite';
const NAMESPACE = 'kube-system';

const REWRITE_RULE: Rule = {
  id: 'TC-ADDON-ENCRYPTION-REWRITE',
  title: 'What is written again with another key must name the key, and resources as kubectl does.',
  source: 'kubernetes.io/docs/tasks/administer-cluster/encrypt-data (Ensure all relevant data are encrypted)',
};

/**
 * Writes everything again that is encrypted in the tenant's data store, with the key that is first now: the third step of a rotation of keys.
 * A Job reads each object and writes it unchanged. It fails when another program changes one meanwhile, and starts again; when it is
 * complete, `externalKeys.rewrittenWith` may name the key, and older ones may go.
 *
 * Its ServiceAccount may read and update these resources in the whole tenant, as long as the addon is there: remove the addon afterwards.
 *
 * Rules: `TC-ADDON-ENCRYPTION-REWRITE`, `TC-CHANGE-ENCRYPTION-REMOVED-KEY`.
 *
 * @example
 * acme.addAddon(new EncryptionRewrite({ key: '2026', image: 'registry.example.com/kubectl:1.35.4' }));
 */
export class EncryptionRewrite extends ManifestAddon {
  public constructor(private readonly props: EncryptionRewriteProps) {
    super(NAME);
  }

  /**
   * Defines the Job and what it needs.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param _context the cluster that the addon is for
   */
  protected define(tenant: Chart, _context: ClusterContext): void {
    const { key, image, resources = ['secrets'] } = this.props;
    this.check(resources).forEach((problem) => Problems.of(tenant).add(problem));
    const metadata = { name: NAME, namespace: NAMESPACE };
    const rbac = 'rbac.authorization.k8s.io';
    new TypedApiObject(tenant, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, { metadata });
    new TypedApiObject(tenant, 'ClusterRole', { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
      metadata: { name: NAME },
      rules: [
        { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
        ...resources.map((resource) => {
          const [name, ...group] = resource.split('.');
          return { apiGroups: [group.join('.')], resources: [name], verbs: ['get', 'list', 'update'] };
        }),
      ],
    });
    new TypedApiObject(tenant, 'ClusterRoleBinding', { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
      metadata: { name: NAME },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }],
    });
    const job = new TypedApiObject(tenant, 'Job', { apiVersion: 'batch/v1', kind: 'Job' }, {
      metadata: { namespace: NAMESPACE, annotations: noSubstitution() },
      spec: {
        backoffLimit: ATTEMPTS,
        template: {
          metadata: { annotations: { 'cdk8s-cluster-api/encryption-key': key } },
          spec: {
            containers: [{
              name: NAME,
              image,
              command: ['sh', '-c', script(resources)],
              resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } },
              securityContext: CONTAINER_SECURITY,
              volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
            }],
            enableServiceLinks: false,
            restartPolicy: 'Never',
            securityContext: POD_SECURITY,
            serviceAccountName: NAME,
            volumes: [{ emptyDir: {}, name: 'tmp' }],
          },
        },
      },
    });
    nameByContent(job, NAME);
  }

  private check(resources: readonly string[]) {
    const { key, image } = this.props;
    const problem = (property: string, message: string | undefined, fix: string) => problemIf(REWRITE_RULE, property, message, fix);
    return [
      ...problem('key', isDataKey(key) ? undefined : `${JSON.stringify(key)} is no name of a key`, 'write the name of the first key'),
      ...checkControllerImage('image', image),
      ...problem('resources', resources.length > 0 ? undefined : 'it is empty', 'name a resource, e.g. secrets'),
      ...resources.flatMap((resource, index) => (
        problem(`resources[${index}]`, /^[a-z]+(\.[a-z0-9-]+)*$/.test(resource) ? undefined : `${JSON.stringify(resource)} is not a resource`, 'write "resource" or "resource.group", e.g. "secrets"'))),
    ];
  }
}

/** Enough for namespaces whose objects change all the time. */
const ATTEMPTS = 20;

/** Goes by namespaces, so that the objects of one fit into the memory. A namespace without objects has nothing to write. */
function script(resources: readonly string[]): string {
  return `set -eu
export HOME=/tmp
namespaces=$(kubectl get namespaces --output=jsonpath='{.items[*].metadata.name}')
for namespace in $namespaces; do
  for resource in ${resources.join(' ')}; do
    kubectl get "$resource" --namespace="$namespace" --output=json > /tmp/objects.json
    kubectl get "$resource" --namespace="$namespace" --output=name > /tmp/names
    [ ! -s /tmp/names ] || kubectl replace --filename=/tmp/objects.json > /tmp/replaced
  done
done
`;
}
