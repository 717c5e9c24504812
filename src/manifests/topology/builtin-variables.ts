import { Blueprint } from './blueprint';
import { TopologyControlPlane } from './control-plane-object';
import { TopologyPool } from './pool-objects';
import { fieldsOf, withoutUnset } from './stored-topology';
import { marksOf, OWNED_LABEL } from './template-objects';
import { Variables } from './variables';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { fieldAt, Fields, isSet, stringAt } from '../values/fields';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const CONVERSION_DATA = 'cluster.x-k8s.io/conversion-data';

/** The server generates it. */
const UID = '00000000-0000-0000-0000-000000000000';

/**
 * The variable `builtin` of all templates.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/patches/variables/variables.go, v1.14.2.
 */
export function clusterBuiltin({ cluster, clusterName, namespace, topology, of }: Blueprint): Variables {
  const network = fieldAt(cluster, 'spec', 'clusterNetwork');
  const [services, pods] = ['services', 'pods'].map((field) => fieldAt(network, field, 'cidrBlocks'));
  const networks = withoutUnset({ serviceDomain: stringAt(network, 'serviceDomain'), services: listed(services), pods: listed(pods) });
  const { labels, annotations } = fieldsOf(cluster.metadata);
  return {
    cluster: withoutUnset({
      name: clusterName,
      namespace,
      uid: UID,
      metadata: metadataOf({ labels: { ...fieldsOf(labels), 'cluster.x-k8s.io/cluster-name': clusterName, [OWNED_LABEL]: '' }, annotations }),
      topology: withoutUnset({
        version: topology.spec.version, class: of.name, classNamespace: of.namespace, classRef: { name: of.name, namespace: of.namespace ?? '' },
      }),
      network: Object.keys(networks).length > 0 ? networks : undefined,
    }),
  };
}

/** The variable `builtin` of templates of the control plane, beside what all have. */
export function controlPlaneBuiltin({ object, machines }: TopologyControlPlane, own: Fields): Variables {
  return {
    controlPlane: withoutUnset({
      version: fieldAt(object, 'spec', 'version'),
      metadata: metadataOf(fieldsOf(object.metadata)),
      name: nameOf(object),
      replicas: isSet(own.replicas) ? own.replicas : undefined,
      machineTemplate: machines && { infrastructureRef: { name: nameOf(machines.copy) } },
    }),
  };
}

/** The variable `builtin` of templates of a pool, beside what all have. */
export function poolBuiltin({ list, name, poolClass, object, bootstrap, infrastructure }: TopologyPool): Variables {
  return {
    [list === 'machineDeployments' ? 'machineDeployment' : 'machinePool']: withoutUnset({
      version: fieldAt(object, 'spec', 'template', 'spec', 'version'),
      metadata: metadataOf(fieldsOf(object.metadata)),
      class: poolClass,
      name: nameOf(object),
      topologyName: name,
      replicas: fieldAt(object, 'spec', 'replicas'),
      bootstrap: { configRef: { name: nameOf(bootstrap.object) } },
      infrastructureRef: { name: nameOf(infrastructure.object) },
    }),
  };
}

function metadataOf({ labels, annotations }: ManifestObject | Fields): Fields {
  const { [LAST_APPLIED]: _, [CONVERSION_DATA]: __, ...others } = fieldsOf(annotations);
  return marksOf(fieldsOf(labels), others);
}

function listed(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}
