import { applicationEffects } from './application-effects';
import { DELIVERIES, valuesElsewhere } from './deliveries';
import { APPLICATION, ARGO_CD_MANIFEST_RULES } from './rules/argo-cd-rules';
import { Provider } from '../rules/provider';

const APPLICATION_SET = 'argoproj.io/ApplicationSet';

/** Argo CD. */
export const ARGO_CD: Provider = {
  name: 'argo-cd',
  title: 'Argo CD',
  kinds: [APPLICATION, APPLICATION_SET, 'argoproj.io/AppProject'].map((kind) => ({ kind, besideController: true })),
  rules: ARGO_CD_MANIFEST_RULES,
  deliveries: DELIVERIES,
  effects: { [APPLICATION]: applicationEffects },
  elsewhere: { [APPLICATION]: valuesElsewhere, [APPLICATION_SET]: () => ['makes Applications from a template, which are not looked at'] },
};
