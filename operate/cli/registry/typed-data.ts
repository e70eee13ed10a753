/** @module Prints the data for the operator's wallet to sign: `raisebook registry typed-data`. This program never sees a private key. */
import { getTypesForEIP712Domain } from "viem";
import { RegistryError } from "../../../api/registry/error.ts";
import { typedDataOf } from "../../../api/registry/signature.ts";
import { nameOf, readDraft, signatureSettings, sourceOf } from "../../../api/registry/source.ts";
import { print } from "../../../config/command.ts";
import { NO_SIGNED_TABLE } from "../../../config/environment.ts";
import { typedDataCommand } from "../options.ts";

const NO_REVISION = "revision: is missing (each signed document needs a higher one than the one before)";

const command = typedDataCommand().parse();
const refuse: (message: string) => never = (message) => command.error(`error: ${message}`);
const source = sourceOf(command.processedArgs[0], refuse);
if (source.kind === "table") refuse(`REGISTRY_SIGNER ${NO_SIGNED_TABLE}`);
const { publicUrl, chainId } = signatureSettings(refuse);
try {
  const { hash, revision } = (await (await readDraft(source)).finish()).registry;
  if (revision === null) throw new RegistryError([NO_REVISION]);
  const { types, ...data } = typedDataOf({ hash, revision }, { publicUrl, chainId });
  const allTypes = { EIP712Domain: getTypesForEIP712Domain({ domain: data.domain }), ...types };
  const whole = { types: allTypes, ...data, message: { hash, revision } };
  print(`${JSON.stringify(whole, null, 2)}\n`);
  process.stderr.write(
    `Sign it for ${publicUrl} (PUBLIC_URL) on chain ${chainId} (CHAIN_ID) with the key of REGISTRY_SIGNER (eth_signTypedData_v4), and add the result to the document as "signature".\n`,
  );
} catch (error) {
  if (!(error instanceof RegistryError)) throw error;
  for (const problem of error.problems) process.stderr.write(`${nameOf(source)}: error: ${problem}\n`);
  process.exitCode = 1;
}
