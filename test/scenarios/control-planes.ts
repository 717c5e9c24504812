import { App, Size } from 'cdk8s';
import { Scenario } from './scenario';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { AuditLevel } from '../../src/constructs/control-planes/kamaji/audit';
import { ClaimMapping, ControlPlaneAuthentication } from '../../src/constructs/control-planes/kamaji/authentication';
import { KamajiExposure } from '../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps, KamajiKubeconfigKey } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';

function withControlPlane(kubernetesVersion: string, props: KamajiControlPlaneProps): Scenario {
  return (app: App) => {
    const cluster = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion,
      controlPlane: new KamajiControlPlane(props),
      infrastructure: new KubevirtInfrastructure(),
      cni: Cni.none(),
    });
    cluster.addNodePool('general', {
      machine: new KubevirtMachine({
        cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }),
      }),
      size: PoolSize.fixed(3),
    });
  };
}

/** One scenario for each way to publish the API server, with the other features spread over them. */
export const controlPlaneScenarios: { readonly [name: string]: Scenario } = {
  'control-plane-load-balancer': withControlPlane('1.36.3', {
    replicas: 1,
    exposure: KamajiExposure.loadBalancer({ loadBalancerClass: 'io.cilium/bgp', sourceRanges: ['203.0.113.0/24', '10.244.0.0/16'] }),
  }),
  'control-plane-node-port': withControlPlane('1.33.13', {
    exposure: KamajiExposure.nodePort({ address: '192.0.2.20', port: 30443, konnectivityPort: 30132 }),
    kubeconfigSecretKey: KamajiKubeconfigKey.SUPER_ADMIN_SERVICE,
  }),
  'control-plane-ingress-audit': withControlPlane('1.34.4', {
    exposure: KamajiExposure.ingress({
      hostname: 'acme.example.com', className: 'nginx', annotations: { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' },
    }),
    audit: { rules: [{ level: AuditLevel.NONE, users: ['system:kube-proxy'] }, { level: AuditLevel.METADATA }] },
  }),
  'control-plane-gateway-authentication': withControlPlane('1.35.4', {
    exposure: KamajiExposure.gateway({ name: 'tenants', namespace: 'gateways', hostname: 'acme.example.com', sectionName: 'acme' }),
    authentication: ControlPlaneAuthentication.jwt([{
      issuerUrl: 'https://id.example.com/realms/tenants',
      audiences: ['acme'],
      username: ClaimMapping.claim('email', 'id:'),
      groups: ClaimMapping.claim('groups', 'id:'),
    }]),
    encryption: { secretName: 'acme-encryption', key: 'config.yaml' },
  }),
};
