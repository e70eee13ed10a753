import { startChain } from "./chain.ts";
import { ACCOUNT_COUNT, genesisOf, playDemoMarket } from "./market/play.ts";

const now = Math.floor(Date.now() / 1000);
for (const seed of [1, 2, 3, 4, 5]) {
  let t = performance.now();
  const lap = (s: string) => {
    console.log(seed, s, Math.round(performance.now() - t));
    t = performance.now();
  };
  const chain = await startChain({ genesisTimestamp: genesisOf(now), accounts: ACCOUNT_COUNT });
  lap("start");
  try {
    const m = await playDemoMarket(chain, { seed, now });
    lap("play");
    const b = await chain.publicClient.getBlock();
    console.log(b.number, Number(b.timestamp) - now, b.hash, m.registry.listings.length);
  } catch (e) {
    console.log(String(e));
  }
  await chain.stop();
}
