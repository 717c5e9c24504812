/**
 * Writes data/construct-rules.json, from which `explain` reads the rules for the input of constructs, and how synthesis words its reports.
 *
 * With `--check` it writes nothing and fails if the file is not what the code says.
 */
import { constructRules, renderRuleTable } from './construct-rules';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('rules', new Map([['data/construct-rules.json', renderRuleTable(constructRules())]]));
