import { Chart, Cron, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { ManifestAddon } from '../../src/constructs/addons/manifest-addon';
import { AddonCapability } from '../../src/constructs/contracts/addon';

/** Kind, namespace and name of everything that `addTeamApplication` makes. */
export const TEAM_APPLICATION: readonly string[] = [
  'ConfigMap team-a/settings', 'CronJob team-a/report', 'Deployment team-a/web', 'Ingress team-a/web', 'Namespace team-a',
  'Role team-a/reader', 'RoleBinding team-a/reader', 'Service team-a/web', 'ServiceAccount team-a/web',
];

const RESOURCES = {
  cpu: { request: kplus.Cpu.millis(100), limit: kplus.Cpu.units(1) },
  memory: { request: Size.mebibytes(128), limit: Size.mebibytes(256) },
};

/** An application of the tenant's own, of cdk8s-plus, in a chart inside of the chart; each delivery can carry it. */
export function addTeamApplication(workloads: Chart): void {
  new kplus.Namespace(workloads, 'Namespace', { metadata: { name: 'team-a' } });
  const chart = new Chart(workloads, 'team-a', { namespace: 'team-a' });
  const settings = new kplus.ConfigMap(chart, 'Settings', {
    metadata: { name: 'settings' }, data: { 'start.sh': 'exec web --host "${HOSTNAME}" --theme {{ .Theme }}\n' },
  });
  const serviceAccount = new kplus.ServiceAccount(chart, 'ServiceAccount', { metadata: { name: 'web' } });
  const role = new kplus.Role(chart, 'Role', { metadata: { name: 'reader' } });
  role.allowRead(kplus.ApiResource.CONFIG_MAPS);
  new kplus.RoleBinding(chart, 'RoleBinding', { metadata: { name: 'reader' }, role }).addSubjects(serviceAccount);

  const web = new kplus.Deployment(chart, 'Web', {
    metadata: { name: 'web' },
    replicas: 2,
    serviceAccount,
    containers: [{
      image: 'registry.example.com/team-a/web:2.3.1',
      portNumber: 8080,
      resources: RESOURCES,
      volumeMounts: [
        { path: '/etc/web', volume: kplus.Volume.fromConfigMap(chart, 'SettingsVolume', settings) },
      ],
    }],
  });
  const service = web.exposeViaService({ name: 'web', ports: [{ port: 80, targetPort: 8080 }] });
  new kplus.Ingress(chart, 'Ingress', { metadata: { name: 'web' }, className: 'traefik' }).addHostRule('web.example.com', '/', kplus.IngressBackend.fromService(service));
  new kplus.CronJob(chart, 'Report', {
    metadata: { name: 'report' },
    schedule: Cron.daily(),
    containers: [{ image: 'registry.example.com/team-a/report:1.0.0', resources: RESOURCES }],
  });
}

/** Settings that a platform team gives every tenant. */
export class TeamSettings extends ManifestAddon {
  public constructor(network: boolean) {
    super('team-settings', { requires: network ? [AddonCapability.POD_NETWORK] : [] });
  }

  protected define(tenant: Chart): void {
    new kplus.Namespace(tenant, 'Namespace', { metadata: { name: 'platform' } });
    new kplus.ConfigMap(tenant, 'Settings', { metadata: { name: 'settings', namespace: 'platform' }, data: { registry: 'registry.example.com' } });
  }
}
