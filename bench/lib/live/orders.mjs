/**
 * Executes the orders of the parent process and sends the results. Exits when the parent disconnects.
 * @param {Record<string, (details: object) => Promise<object>>} orders by name
 */
export function answerOrders(orders) {
  process.on('message', ([order, details]) => {
    void orders[order](details).then(
      (result) => process.send({ result: result ?? null }),
      (error) => process.send({ error: error.message }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
