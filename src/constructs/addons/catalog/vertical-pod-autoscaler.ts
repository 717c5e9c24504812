import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of the vertical pod autoscaler. */
export interface VerticalPodAutoscalerProps extends BundledAddonProps {
  /**
   * Replicas of admission controller, recommender and updater each; with more than one a PodDisruptionBudget keeps one of them
   * (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * True if pods are changed: without it there are recommendations only.
   *
   * @default true
   */
  readonly applyRecommendations?: boolean;
}

/**
 * The vertical pod autoscaler, which recommends and sets requests from the usage of pods. It needs resource metrics: add `MetricsServer`
 * (`TC-ADDON-REQUIREMENT`). Source: kubernetes/autoscaler vertical-pod-autoscaler/charts/vertical-pod-autoscaler 0.11.0.
 *
 * @example
 * acme.addAddon(new VerticalPodAutoscaler());
 */
export class VerticalPodAutoscaler extends CatalogueAddon {
  public constructor(props: VerticalPodAutoscalerProps = {}) {
    const { replicas = 1, applyRecommendations = true } = props;
    const component = { replicas, podDisruptionBudget: { enabled: replicas > 1 } };
    super({
      chart: 'vertical-pod-autoscaler',
      name: 'vertical-pod-autoscaler',
      namespace: 'vertical-pod-autoscaler',
      requires: [AddonCapability.RESOURCE_METRICS],
      tolerations: {
        'admissionController.tolerations': [],
        'admissionController.certGen.tolerations': [],
        'recommender.tolerations': [],
        'updater.tolerations': [],
      },
      check: () => checkReplicas('replicas', replicas),
      values: () => ({
        recommender: component,
        updater: { enabled: applyRecommendations, ...component },
        admissionController: { enabled: applyRecommendations, ...component },
      }),
    }, props);
  }
}
