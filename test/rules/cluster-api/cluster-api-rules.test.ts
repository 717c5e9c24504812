import { CLUSTER_API_RULES } from '../../../src/rules/cluster-api/cluster-api-rules';
import { testRules } from '../rules-under-test';

testRules(CLUSTER_API_RULES);
