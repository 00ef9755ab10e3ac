// The version of this cotty, as package.json says; bundled builds carry it inside.
import packageJson from "../../package.json";

export const version: string = packageJson.version;
