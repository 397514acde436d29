/** Why a signature cannot be trusted, in pt-BR. Thrown inside this folder, and a verdict outside of it. */
export class SignatureFault extends Error {}
