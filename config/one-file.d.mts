/** What a module exports, loaded as one file. Null where that cannot be. */
export function importAsOneFile<Module>(path: string): Promise<Module | null>;
