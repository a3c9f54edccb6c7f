// The public interface of the package.

export { Refusal } from "./answer.js";
export { EngineWorker, compile, startEngine } from "./client.js";
export { Engine, What, type Told } from "./engine.js";
export type * from "./types.js";
export type { Part } from "./worker.js";
