/**
 * Source of the name of a node: in what cloud-init knows of the machine. A fixed name is not possible, since all
 * machines of a pool or a control plane are set up alike.
 *
 * Source: docs.cloud-init.io/en/latest/explanation/instancedata.html.
 *
 * @example
 * new KubeadmBootstrap({ nodeName: NodeName.LOCAL_HOSTNAME });
 */
export class NodeName {
  /** The host name as cloud-init finds it on every cloud: `v1.local_hostname`. */
  public static readonly LOCAL_HOSTNAME = new NodeName('v1.local_hostname');

  /** The identifier that the cloud gives the machine: `v1.instance_id`. */
  public static readonly INSTANCE_ID = new NodeName('v1.instance_id');

  /** The entry `hostname` of the cloud's metadata: `ds.meta_data.hostname`. Not every cloud has it. */
  public static readonly METADATA_HOSTNAME = new NodeName('ds.meta_data.hostname');

  /** The entry `local-hostname` of the cloud's metadata: `ds.meta_data.local_hostname`. Not every cloud has it. */
  public static readonly METADATA_LOCAL_HOSTNAME = new NodeName('ds.meta_data.local_hostname');

  /**
   * Another entry of what cloud-init knows of the machine; `cloud-init query --all` lists them on a machine.
   *
   * Rule: `TC-KUBEADM-NODE-NAME`.
   *
   * @param path keys joined by dots, `-` in them written as `_`: one of the data source such as `ds.meta_data.name`, `v1.local_hostname`
   * or `v1.instance_id`
   */
  public static fromInstanceData(path: string): NodeName {
    return new NodeName(path);
  }

  /** Keys joined by dots. */
  public readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * The expression that cloud-init replaces by the name.
   *
   * @internal
   */
  public get _expression(): string {
    return `{{ ${this.path} }}`;
  }
}
