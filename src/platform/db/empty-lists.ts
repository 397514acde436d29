import { type BinaryOperationNode, OperatorNode, PrimitiveValueListNode, ValueListNode } from 'kysely';

/** `in ()` is nothing on SQLite and a fault on PostgreSQL: on both, nothing is in an empty list, and all is outside of it. */
const TRUTH = new Map<unknown, string>([
  ['in', '1 = 0'],
  ['not in', '1 = 1'],
]);

/**
 * What a comparison with an empty list is, as SQL; null for any other comparison. The compilers ask it. Kysely's own plugin
 * would go through every statement once more, which took as long as compiling it.
 */
export function truthOfEmptyList({ operator, rightOperand }: BinaryOperationNode): string | null {
  const isList = PrimitiveValueListNode.is(rightOperand) || ValueListNode.is(rightOperand);
  if (!isList || rightOperand.values.length > 0 || !OperatorNode.is(operator)) return null;
  return TRUTH.get(operator.operator) ?? null;
}
