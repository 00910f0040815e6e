import { openTestRecord } from "#tests/support/record.ts";
import { describeStore } from "./contract/describe-store.ts";

describeStore("the store on SQLite", openTestRecord);
