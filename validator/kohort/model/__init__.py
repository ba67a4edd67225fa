"""The source language: declarations read strictly, their derived quota, and what explains them."""
