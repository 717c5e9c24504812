import { testTenants } from './tenant-properties';

testTenants(150);
