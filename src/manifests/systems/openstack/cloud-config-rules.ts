import TABLE from './cloud-config.json';
import { cloudConfigRule } from '../../rules/cloud-configs';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';

/** Rules over configurations of OpenStack's programs. */
export const CLOUD_CONFIG_RULES: readonly ManifestRule[] = [cloudConfigRule({
  id: 'TC-TRAP-OPENSTACK-CLOUD-CONFIG',
  title: 'Variables in the configuration of OpenStack\'s cloud controller manager and CSI driver must be ones that they read, with values of their type: they ignore others, and end at such values.',
  source: 'kubernetes/cloud-provider-openstack v1.36.0 pkg/openstack/openstack.go, pkg/client/client.go, pkg/csi/cinder/openstack/openstack.go, pkg/util/metadata/metadata.go, '
    + 'go-gcfg/gcfg set.go',
  example: replaced(`apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
stringData:
  cloud.conf: |
    [Global]
    auth-url=https://identity.example.com/v3
    use-clouds=false
    [LoadBalancer]
    floating-network-id=80c9fc78-a2be-45d5-a85b-f17a6c98df92
    create-monitor=true
`, 'floating-network-id', 'floating-networkid'),
}, TABLE)];
