/** Values of variables that many templates have. */
const KNOWN: Readonly<Record<string, string>> = {
  CLUSTER_NAME: 'acme',
  NAMESPACE: 'tenant-acme',
  KUBERNETES_VERSION: 'v1.34.3',
  CONTROL_PLANE_MACHINE_COUNT: '3',
  WORKER_MACHINE_COUNT: '2',
  POD_CIDR: '10.32.0.0/16',
  SERVICE_CIDR: '10.33.0.0/20',
  SERVICE_DOMAIN: 'cluster.local',
  CLUSTER_CLASS_NAME: 'quick',
  NODE_OS: 'ubuntu',
};

/** Values by a part of the name. */
const LIKE: readonly (readonly [RegExp, string])[] = [
  [/VM_IMAGE/, 'registry.example.com/nodes/ubuntu-24.04:v1.34.3'],
  [/COUNT|REPLICAS|SIZE|_MIB|_GB|MEMORY|CPUS|CORES|SOCKETS|PORT$|PREFIX|TEMPLATE_?ID|VMID|VCPU|_NUM|MTU/, '4'],
  [/CIDR/, '10.6.0.0/24'],
  [/RANGES?$/, '[192.0.2.20-192.0.2.60]'],
  [/SERVERS/, '[192.0.2.53]'],
  [/_IP$|ENDPOINT|HOST$|GATEWAY/, '192.0.2.10'],
  [/B64/, 'YQ=='],
  [/VERSION/, 'v1.34.3'],
];

function valueOf(name: string): string {
  return KNOWN[name] ?? LIKE.find(([pattern]) => pattern.test(name))?.[1] ?? name.toLowerCase().replaceAll('_', '-');
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[=-]|\/\/?)((?:[^${}]|\$\{[^}]*\})*))?\}/g;

/** Variables may be in defaults of others. */
const DEEPEST = 3;

/** Fills the variables of a template, as `clusterctl generate yaml` does: with their defaults, or with values by their names. */
export function fillVariables(template: string): string {
  let text = template;
  for (let depth = 0; depth < DEEPEST; depth++) {
    text = text.replaceAll(VARIABLE, (_, name: string, operator: string | undefined, given: string | undefined) => {
      if (name in KNOWN || operator === undefined || operator.startsWith('/')) return valueOf(name);
      return (given ?? '').replace(/^"(.*)"$/, '$1');
    });
  }
  return text;
}
