/** What a module exports, loaded as one file. Null where nothing can be written: there is no file to load then. */
export function importAsOneFile<Module>(path: string): Promise<Module | null>;
