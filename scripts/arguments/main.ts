/**
 * Writes the table of what every public constructor and method takes, from the assembly of the compiled library.
 *
 * With `--check` it writes nothing and fails if the table is not what the assembly says.
 */
import { apiTable } from './api-table';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('arguments', new Map([['data/api.json', apiTable()]]));
