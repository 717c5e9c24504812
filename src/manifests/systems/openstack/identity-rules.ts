import { clusterText, OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE, OPENSTACK_MACHINE, OPENSTACK_MACHINE_TEMPLATE, OPENSTACK_SERVER } from './openstack-objects';
import { readText } from '../../objects/manifest-text';
import { documents, fieldAt, isFields, ManifestObject, ManifestRule, namespaceOf, replaced, specPath, stringAt } from '../../rules/contract';
import { secretTexts } from '../../rules/secret-texts';

const CLOUDS_FILE = 'clouds.yaml';
const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata: {name: acme-cloud-config, namespace: tenant-acme}
stringData:
  clouds.yaml: |
    clouds:
      openstack:
        auth: {auth_url: "https://identity.example.com/v3"}
        region_name: RegionOne
`;

const CLOUD: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-CLOUD-NAME',
  title: 'The cloud of an identity must be one in the clouds.yaml of its Secret: the provider logs in nowhere otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7 pkg/scope/provider.go (getCloudFromSecret)',
  trap: true,
  kinds: [OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE, OPENSTACK_MACHINE, OPENSTACK_MACHINE_TEMPLATE, OPENSTACK_SERVER],
  example: replaced(documents(clusterText('managedSubnets: [{cidr: 10.6.0.0/24}]\n'), SECRET_TEXT), 'cloudName: openstack', 'cloudName: RegionOne'),
  check: (object, index) => {
    const path = [...specPath(object), 'identityRef'];
    const cloud = stringAt(object, ...path, 'cloudName');
    const secret = (stringAt(object, ...path, 'type') ?? 'Secret') === 'Secret' ? index.find('/Secret', namespaceOf(object), stringAt(object, ...path, 'name')) : undefined;
    const names = secret ? cloudsIn(secret) : [];
    return cloud === undefined || names.length === 0 || names.includes(cloud) || /[{$]/.test(cloud) ? [] : [{
      path: [...path, 'cloudName'], message: `the Secret has no cloud "${cloud}"`, accepted: names.join(', '), fix: 'write the name of a cloud',
    }];
  },
};

function cloudsIn(secret: ManifestObject): string[] {
  const [, text] = secretTexts(secret).find(([path]) => path.at(-1) === CLOUDS_FILE) ?? [];
  const clouds = text === undefined ? undefined : fieldAt(readText(text).documents[0]?.value, 'clouds');
  return isFields(clouds) ? Object.keys(clouds).filter((name) => !/[{$]/.test(name)) : [];
}

/** Rules over identities. */
export const IDENTITY_RULES: readonly ManifestRule[] = [CLOUD];
