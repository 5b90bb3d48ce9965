// Loads a CloudFormation template as the CDK does, with the schema of each resource type, and says what is wrong with it; or
// prints it as JSON, where nothing is.
const { App, Stack } = require('aws-cdk-lib');
const { CfnInclude } = require('aws-cdk-lib/cloudformation-include');

const app = new App({ context: { '@aws-cdk/core:validateAgainstDefaultRules': true } });
const stack = new Stack(app, 'once');
try {
  new CfnInclude(stack, 'template', { templateFile: process.argv[2] });
  const problems = stack.node.findAll().flatMap((child) => child.node.validate().map((p) => `${child.node.path}: ${p}`));
  const template = app.synth().getStackByName('once').template;
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
  console.log(JSON.stringify(template));
} catch (problem) {
  console.error(problem.message);
  process.exit(1);
}
