import { KUBERNETES_RULES } from '../../../src/rules/kubernetes/kubernetes-rules';
import { testRules } from '../rules-under-test';

testRules(KUBERNETES_RULES);
