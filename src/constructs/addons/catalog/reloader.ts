import { CatalogueAddon } from './catalogue-addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** The way in which Reloader makes a workload restart. */
export enum ReloadStrategy {
  /** By an annotation of its pods, which most GitOps tools can ignore. */
  ANNOTATIONS = 'annotations',

  /** By an environment variable of its containers. */
  ENV_VARS = 'env-vars',
}

/** Options of Reloader. */
export interface ReloaderProps extends BundledAddonProps {
  /**
   * True if all workloads are watched, false if only those with an annotation are.
   *
   * @default false
   */
  readonly autoReloadAll?: boolean;

  /**
   * The way in which a workload is made to restart.
   *
   * @default ReloadStrategy.ANNOTATIONS
   */
  readonly strategy?: ReloadStrategy;

  /**
   * Replicas, of which one works (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/**
 * Reloader, which restarts workloads when their ConfigMaps or Secrets change. Source: stakater/Reloader deployments/kubernetes/chart/reloader 2.2.16.
 *
 * @example
 * acme.addAddon(new Reloader({ autoReloadAll: true }));
 */
export class Reloader extends CatalogueAddon {
  public constructor(props: ReloaderProps = {}) {
    const { autoReloadAll = false, strategy, replicas = 1 } = props;
    super({
      chart: 'reloader',
      name: 'reloader',
      namespace: 'reloader',
      tolerations: { 'reloader.deployment.tolerations': [] },
      check: () => checkReplicas('replicas', replicas),
      values: () => ({
        reloader: {
          autoReloadAll,
          reloadStrategy: strategy ?? ReloadStrategy.ANNOTATIONS,
          readOnlyRootFileSystem: true,
          enableHA: replicas > 1,
          deployment: { replicas },
        },
      }),
    }, props);
  }
}
